// SPDX-License-Identifier: Apache-2.0
// The look of a chart, said once. Every rule hangs below .strata-chart, so that
// several charts can stand in one page without touching it. Colours are Okabe
// and Ito's, in a deeper cut on white and a lighter one on dark; rules name
// their colours directly, as not every SVG reader knows CSS variables.
#pragma once

#include <cstddef>
#include <string_view>

namespace strata::report {

inline constexpr std::size_t chart_colours = 7;

inline constexpr std::string_view chart_style = R"css(
.strata-chart{font-family:system-ui,-apple-system,"Segoe UI","Helvetica Neue",Arial,"DejaVu Sans",sans-serif;font-size:12px}
.strata-chart text{fill:#4b5563}
.strata-chart .page{fill:#ffffff}
.strata-chart .title{font-size:18px;font-weight:600;fill:#111827}
.strata-chart .subtitle{font-size:12.5px;fill:#6b7280}
.strata-chart .axis-title{font-size:12.5px;fill:#374151}
.strata-chart .tick{font-size:11.5px}
.strata-chart .grid{stroke:#e5e7eb;stroke-width:1}
.strata-chart .minor{stroke:#f3f4f6;stroke-width:1}
.strata-chart .frame{stroke:#9ca3af;stroke-width:1}
.strata-chart .capacity{stroke:#9ca3af;stroke-width:1;stroke-dasharray:3 4}
.strata-chart .capacity-label{font-size:11px;fill:#6b7280}
.strata-chart .plateau{stroke:#6b7280;stroke-width:1;stroke-dasharray:1 3;stroke-linecap:round}
.strata-chart .plateau-label{font-size:11.5px;font-weight:600;fill:#374151;stroke:#ffffff;stroke-width:4px;stroke-linejoin:round;paint-order:stroke}
.strata-chart .line{fill:none;stroke-width:2.25;stroke-linejoin:round;stroke-linecap:round}
.strata-chart .point{stroke:#ffffff;stroke-width:1}
.strata-chart .hover{fill:#000000;fill-opacity:0;stroke:none}
.strata-chart .hover:hover{fill-opacity:.12}
.strata-chart .s0{stroke:#0072b2}.strata-chart .f0{fill:#0072b2}
.strata-chart .s1{stroke:#d55e00}.strata-chart .f1{fill:#d55e00}
.strata-chart .s2{stroke:#009e73}.strata-chart .f2{fill:#009e73}
.strata-chart .s3{stroke:#b3599a}.strata-chart .f3{fill:#b3599a}
.strata-chart .s4{stroke:#c98700}.strata-chart .f4{fill:#c98700}
.strata-chart .s5{stroke:#3a9bd1}.strata-chart .f5{fill:#3a9bd1}
.strata-chart .s6{stroke:#4b5563}.strata-chart .f6{fill:#4b5563}
@media (prefers-color-scheme:dark){
.strata-chart text{fill:#b6bcc6}
.strata-chart .page{fill:#16191f}
.strata-chart .title{fill:#f3f4f6}
.strata-chart .subtitle{fill:#9aa3af}
.strata-chart .axis-title{fill:#d1d5db}
.strata-chart .grid{stroke:#2a2f38}
.strata-chart .minor{stroke:#1f232a}
.strata-chart .frame{stroke:#5b6370}
.strata-chart .capacity{stroke:#5b6370}
.strata-chart .capacity-label{fill:#9aa3af}
.strata-chart .plateau{stroke:#9aa3af}
.strata-chart .plateau-label{fill:#e5e7eb;stroke:#16191f}
.strata-chart .point{stroke:#16191f}
.strata-chart .hover{fill:#ffffff}
.strata-chart .s0{stroke:#56b4e9}.strata-chart .f0{fill:#56b4e9}
.strata-chart .s1{stroke:#f08a3c}.strata-chart .f1{fill:#f08a3c}
.strata-chart .s2{stroke:#2cc79a}.strata-chart .f2{fill:#2cc79a}
.strata-chart .s3{stroke:#dc95c0}.strata-chart .f3{fill:#dc95c0}
.strata-chart .s4{stroke:#e6b422}.strata-chart .f4{fill:#e6b422}
.strata-chart .s5{stroke:#8fd0f5}.strata-chart .f5{fill:#8fd0f5}
.strata-chart .s6{stroke:#d1d5db}.strata-chart .f6{fill:#d1d5db}
}
)css";

// Of the panel of residuals alone.
inline constexpr std::string_view residual_style = R"css(
.strata-chart .zero{stroke:#4b5563;stroke-width:1.5}
.strata-chart .stem{stroke-width:1.5}
@media (prefers-color-scheme:dark){
.strata-chart .zero{stroke:#b6bcc6}
}
)css";

// Of the map of the hierarchy alone.
inline constexpr std::string_view map_style = R"css(
.strata-chart .box{fill:#f9fafb;stroke:#9ca3af;stroke-width:1}
.strata-chart .box.busiest{stroke:#111827;stroke-width:4}
.strata-chart .box-name{font-size:13.5px;font-weight:600;fill:#111827}
.strata-chart .track{fill:#e5e7eb}
.strata-chart .edge{stroke-linecap:butt}
@media (prefers-color-scheme:dark){
.strata-chart .box{fill:#1a1e25;stroke:#5b6370}
.strata-chart .box.busiest{stroke:#f3f4f6}
.strata-chart .box-name{fill:#f3f4f6}
.strata-chart .track{fill:#2a2f38}
}
)css";

}  // namespace strata::report
