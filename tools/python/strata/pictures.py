# SPDX-License-Identifier: Apache-2.0
"""Pictures of answers, on axes that are given or new. Curves differ in marker and line as well as in colour."""

from __future__ import annotations

from typing import Any

import pandas
from pandas import DataFrame as Frame
from matplotlib import pyplot, ticker

Axes = Any

_UNITS = {
    "latency_ns": ("latency [ns]", 1.0),
    "mean_latency_ns": ("latency [ns]", 1.0),
    "time_ns": ("time [us]", 1e-3),
    "bytes_per_second": ("bandwidth [GB/s]", 1e-9),
}
_STYLES = [("o", "-"), ("s", "--"), ("^", ":"), ("D", "-."), ("v", "-"), ("x", "--")]
_COLOURS = {"sourced": "tab:green", "derived": "tab:blue", "fitted": "tab:orange", "estimated": "tab:red"}


def size_text(size: float) -> str:
    """A number of bytes as sizes are written: 1536 is 1.5 KiB."""
    units = ["B", "KiB", "MiB", "GiB", "TiB"]
    unit = 0
    while size >= 1024 and unit < len(units) - 1:
        size /= 1024
        unit += 1
    return f"{size:g} {units[unit]}"


def _axes(ax: Axes) -> Axes:
    return ax if ax is not None else pyplot.subplots(constrained_layout=True)[1]


def _label(figure: str) -> tuple[str, float]:
    return _UNITS.get(figure, (figure, 1.0))


def _sizes_along(axis: Axes) -> None:
    axis.set_major_formatter(ticker.FuncFormatter(lambda size, _: size_text(size)))


def curve(points: Frame, figure: str, label: str, ax: Axes, measured: Frame | None) -> Axes:
    ax = _axes(ax)
    text, factor = _label(figure)
    marker, line = _STYLES[len(ax.get_lines()) % len(_STYLES)]
    ax.plot(points["footprint_bytes"], points[figure] * factor, marker=marker, linestyle=line, markersize=4, label=label)
    if measured is not None:
        ax.plot(measured["footprint_bytes"], measured[figure] * factor, linestyle="none", marker="+", color="black",
                label="measured")
    ax.set_xscale("log", base=2)
    _sizes_along(ax.xaxis)
    ax.set_xlabel("footprint")
    ax.set_ylabel(text)
    ax.set_ylim(bottom=0)
    ax.grid(alpha=0.3)
    ax.legend()
    return ax


def loaded(points: Frame, label: str, ax: Axes) -> Axes:
    ax = _axes(ax)
    marker, line = _STYLES[len(ax.get_lines()) % len(_STYLES)]
    text, factor = _label("bytes_per_second")
    ordered = points.sort_values("bytes_per_second")
    ax.plot(ordered["bytes_per_second"] * factor, ordered["latency_ns"], marker=marker, linestyle=line, label=label)
    ax.set_xlabel(f"achieved {text}")
    ax.set_ylabel("latency of a dependent load [ns]")
    ax.set_ylim(bottom=0)
    ax.grid(alpha=0.3)
    ax.legend()
    return ax


def swept(points: Frame, varied: list[str], figure: str, ax: Axes) -> Axes:
    if len(varied) > 2:
        raise ValueError(f"a picture has one or two parameters, not {len(varied)}; choose rows of frame() and plot those")
    ax = _axes(ax)
    text, factor = _label(figure)
    values = points[figure] * factor
    if len(varied) == 2:
        table = points.assign(figure=values).pivot(index=varied[1], columns=varied[0], values="figure")
        image = ax.imshow(table.to_numpy(), aspect="auto", origin="lower")
        ax.set_xticks(range(len(table.columns)), [_text(v, varied[0]) for v in table.columns])
        ax.set_yticks(range(len(table.index)), [_text(v, varied[1]) for v in table.index])
        ax.set_ylabel(_name(varied[1]))
        ax.figure.colorbar(image, ax=ax, label=text)
    elif pandas.api.types.is_numeric_dtype(points[varied[0]]):
        ax.plot(points[varied[0]], values, marker="o")
        if varied[0].endswith("_bytes"):
            _sizes_along(ax.xaxis)
        ax.set_ylabel(text)
        ax.set_ylim(bottom=0)
    else:
        ax.bar(points[varied[0]].astype(str), values)
        ax.set_ylabel(text)
    ax.set_xlabel(_name(varied[0]))
    return ax


def _name(column: str) -> str:
    return column.removeprefix("values.").removesuffix("_bytes")


def _text(value: Any, column: str) -> str:
    return size_text(float(value)) if column.endswith("_bytes") else str(value)


def bars(values: Any, text: str, ax: Axes) -> Axes:
    ax = _axes(ax)
    ordered = values.reindex(values.abs().sort_values().index)
    ax.barh(ordered.index, ordered.to_numpy())
    ax.axvline(0, color="black", linewidth=0.8)
    ax.set_xlabel(text)
    return ax


def stacked(shares: Frame, text: str, ax: Axes) -> Axes:
    ax = _axes(ax)
    rows = range(len(shares))  # not the names: a kernel may run twice
    left = shares.iloc[:, 0].to_numpy() * 0.0
    for reason in shares.columns:
        ax.barh(rows, shares[reason], left=left, label=reason)
        left = left + shares[reason].to_numpy()
    ax.set_yticks(rows, shares.index)
    ax.invert_yaxis()
    ax.set_xlabel(text)
    ax.legend()
    return ax


def waterfall(stages: Frame, ax: Axes) -> Axes:
    ax = _axes(ax)
    begins = stages["ns"].cumsum() - stages["ns"]
    names = [f"{i + 1} {stage}" for i, stage in enumerate(stages["stage"])]  # a stage may be passed twice
    ax.barh(names, stages["ns"], left=begins)
    ax.invert_yaxis()
    ax.set_xlabel("time since issue [ns]")
    return ax


def tornado(settings: Frame, figure: str, ax: Axes) -> Axes:
    ax = _axes(ax)
    rows = settings.iloc[::-1]
    colours = [_COLOURS.get(p, "tab:gray") for p in rows["provenance"]]
    for column, hatch in (("low.change", "//"), ("high.change", None)):
        if column in rows:
            ax.barh(rows["path"], rows[column].fillna(0.0) * 100, color=colours, hatch=hatch, edgecolor="black", linewidth=0.4)
    ax.axvline(0, color="black", linewidth=0.8)
    ax.set_xlabel(f"change of {figure} [%]; hatched: setting lower")
    return ax


def errors(rows: Frame, ax: Axes) -> Axes:
    ax = _axes(ax)
    known = rows.dropna(subset=["error"])
    colours = ["tab:blue" if good else "tab:red" for good in known["pass"]]
    ax.barh(known["id"], known["tolerance"] * 200, left=-known["tolerance"] * 100, color="lightgray", label="tolerance")
    ax.scatter(known["error"] * 100, known["id"], color=colours, zorder=3, label="error")
    ax.set_xlabel("error [%]")
    ax.legend()
    return ax
