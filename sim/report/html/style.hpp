// SPDX-License-Identifier: Apache-2.0
// The look of a page, said once.
#pragma once

#include <string_view>

namespace strata::report {

inline constexpr std::string_view page_style = R"css(
:root{color-scheme:light dark;--page:#f3f4f6;--card:#ffffff;--ink:#111827;--soft:#4b5563;--faint:#5b6370;--rule:#e5e7eb;--stripe:#f9fafb;--good:#00795a;--bad:#b91c1c;--bad-tint:#fef2f2;--accent:#0072b2;--tint:#e8f2f9}
@media (prefers-color-scheme:dark){:root{--page:#0d0f13;--card:#16191f;--ink:#f3f4f6;--soft:#b6bcc6;--faint:#9aa3af;--rule:#2a2f38;--stripe:#1a1e25;--good:#2cc79a;--bad:#f87171;--bad-tint:#2c191b;--accent:#56b4e9;--tint:#172733}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--ink);font:15px/1.5 system-ui,-apple-system,"Segoe UI","Helvetica Neue",Arial,"DejaVu Sans",sans-serif}
main{max-width:1040px;margin:0 auto;padding:36px 20px 64px}
header{margin-bottom:24px}
h1{font-size:27px;line-height:1.25;margin:2px 0 4px;letter-spacing:-.01em;overflow-wrap:anywhere}
h2{font-size:19px;margin:36px 0 12px}
p{margin:0 0 10px;color:var(--soft)}
.brand{font-size:12px;font-weight:700;letter-spacing:.14em;text-transform:uppercase;color:var(--accent)}
.origin{font-size:12.5px;color:var(--faint)}
code{font-family:ui-monospace,"SF Mono",Menlo,Consolas,"DejaVu Sans Mono",monospace;font-size:.92em;overflow-wrap:break-word}
td.id{min-width:110px}
.tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(170px,1fr));gap:12px;margin:0 0 16px}
.tile{background:var(--card);border:1px solid var(--rule);border-radius:10px;padding:14px 16px}
.tile .name{font-size:12.5px;color:var(--faint)}
.tile .figure{font-size:25px;font-weight:650;line-height:1.3;font-variant-numeric:tabular-nums}
.tile .figure small{font-size:14px;font-weight:500;color:var(--faint)}
.tile .remark{font-size:12.5px;color:var(--soft)}
.tile.headline{background:var(--tint);border-color:var(--accent)}
.good{color:var(--good)}
.bad{color:var(--bad)}
.card{background:var(--card);border:1px solid var(--rule);border-radius:10px;margin:0 0 16px;overflow:hidden}
.card svg{display:block;width:100%;height:auto}
svg.map{display:block;width:100%;max-width:500px;height:auto;margin:0 auto}
.scroll{overflow-x:auto}
.tall{max-height:560px;overflow:auto}
table{border-collapse:collapse;width:100%;font-size:13.5px;font-variant-numeric:tabular-nums}
th,td{padding:7px 14px;text-align:left;vertical-align:top;border-bottom:1px solid var(--rule)}
th{position:sticky;top:0;background:var(--card);font-size:12px;font-weight:600;color:var(--faint);white-space:nowrap;box-shadow:inset 0 -1px var(--rule);border-bottom:0}
tbody tr:nth-child(even){background:var(--stripe)}
tbody tr:last-child td{border-bottom:0}
th.n,td.n{text-align:right;white-space:nowrap}
td.wide{min-width:200px}
td.source,td .source{color:var(--faint);font-size:12.5px}
td .remark,td .source{margin-top:1px}
td .remark{color:var(--soft);font-size:12.5px}
tbody tr.failed{background:var(--bad-tint);box-shadow:inset 3px 0 var(--bad)}
tr.sum td{font-weight:650;border-top:2px solid var(--rule)}
.kind{display:inline-block;border:1px solid var(--rule);border-radius:99px;padding:0 8px;font-size:12px;color:var(--soft);white-space:nowrap}
.kind.predicted{border-color:var(--accent);color:var(--accent)}
.shares{display:flex;height:10px;width:150px;border-radius:5px;overflow:hidden;margin-top:5px;background:var(--rule)}
.shares span{height:100%}
.k0{background:#56b4e9}.k1{background:#0072b2}.k2{background:#e69f00}.k3{background:#d55e00}.k4{background:#cc79a7}.k5{background:#009e73}.k6{background:#9ca3af}
.magnitude{height:10px;width:150px;margin-top:5px}
.magnitude span{display:block;height:100%;min-width:1px;border-radius:3px;background:var(--accent)}
.magnitude span.large{background:var(--bad)}
.keys{display:flex;flex-wrap:wrap;gap:4px 16px;padding:12px 14px;font-size:12.5px;color:var(--soft);border-bottom:1px solid var(--rule)}
.keys i{display:inline-block;width:10px;height:10px;border-radius:3px;margin-right:6px}
.journey span,.magnitude span,.shares span,.keys i{-webkit-print-color-adjust:exact;print-color-adjust:exact}
.journey{position:relative;height:10px;min-width:220px;margin-top:5px;background:var(--rule);border-radius:5px}
.journey span{position:absolute;top:0;height:100%;min-width:2px;border-radius:3px;background:var(--accent)}
a{color:var(--accent)}
a code{color:inherit}
tr:target,h2:target{outline:2px solid var(--accent);outline-offset:-2px}
.filter{display:flex;flex-wrap:wrap;gap:4px 18px;margin:24px 0 0;padding:10px 14px;border:1px solid var(--rule);border-radius:10px;font-size:13.5px;color:var(--soft)}
.filter legend{padding:0 6px;font-size:12.5px;color:var(--faint)}
main:has(#only-failed:checked) tr[id]:not(.failed),main:has(#show-spec:not(:checked)) tr.spec,main:has(#show-fitted:not(:checked)) tr.fitted,main:has(#show-predicted:not(:checked)) tr.predicted,main:has(#show-ordering:not(:checked)) tr.ordering{display:none}
details{background:var(--card);border:1px solid var(--rule);border-radius:10px;margin:0 0 16px;overflow:hidden}
summary{cursor:pointer;padding:12px 16px;font-weight:600}
dl{display:grid;grid-template-columns:max-content 1fr;gap:6px 16px;margin:0;padding:14px 16px;font-size:13.5px}
dd{margin:0;color:var(--soft)}
@media print{.tall{max-height:none}body{background:#ffffff}}
)css";

}  // namespace strata::report
