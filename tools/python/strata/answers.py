# SPDX-License-Identifier: Apache-2.0
"""What the program answered: its document, and frames and pictures made of it."""

from __future__ import annotations

import shlex
from typing import Any

import pandas
from pandas import DataFrame as Frame

from . import pictures
from .program import Document, Reply, progress

Axes = Any  # of matplotlib, which has no types


class Answer:
    """An answer. `document` is the program's JSON as it is, documented in `docs/formats`.

    `notes` are what the program had to say beside it, `command` what a shell takes for the same answer.
    """

    _main = "points"  # the list of the document that frame() shows

    def __init__(self, reply: Reply) -> None:
        self.document: Document = reply.document
        self.notes: list[str] = reply.notes
        self.command: str = shlex.join(reply.words)

    @property
    def gpu(self) -> str:
        """The name or file by which the GPU was asked for."""
        return str(self.document["gpu"])

    @property
    def fingerprint(self) -> str:
        """Of the runs behind the answer: equal for equal runs; empty where nothing ran."""
        return str(self.document["fingerprint"] or "")

    @property
    def complete(self) -> bool:
        """Whether all of the question was answered; else it was interrupted, and this is what there is."""
        return not self.document.get("incomplete", False)

    def frame(self, table: str | None = None) -> Frame:
        """A list of the document as a frame, a row an element; without a name the main one.

        Columns are named as in the document, with their unit (`latency_ns`); of what is nested the names
        are joined by dots (`hit_level_shares.L2`), and lists within an element are left out.
        Raises KeyError, with the names there are, for a table that is not there.
        """
        name = table or self._main
        rows = self.document.get(name)
        if not isinstance(rows, list):
            there = ", ".join(k for k, v in self.document.items() if isinstance(v, list))
            raise KeyError(f"no table '{name}' in this answer; there are {there}")
        plain = pandas.json_normalize(rows)
        return plain[[column for column in plain.columns if not plain[column].map(lambda v: isinstance(v, list)).any()]]

    def settings(self) -> Frame:
        """The effective configuration: path, value, origin and, if so, why the question does not read it."""
        return self.frame("settings").set_index("path")

    def __repr__(self) -> str:
        part = "" if self.complete else f", incomplete ({progress(self.document)})"
        return f"<{type(self).__name__} of {self.gpu}{part}: {self.command}>"


class Curve(Answer):
    """Points against footprint. The frame has `footprint_bytes` and `latency_ns`, or `bytes_per_second`."""

    def __init__(self, reply: Reply, figure: str) -> None:
        super().__init__(reply)
        self.figure = figure  #: the column that plot() shows

    def measured(self) -> Frame:
        """The points of the file given as `compare=`: `footprint_bytes`, `measured`, `predicted`, and `error`, a
        share of the measured value. Raises KeyError where no file was given."""
        comparison = self.document.get("comparison")
        if comparison is None:
            raise KeyError("no measured points in this answer; give compare=\"FILE.csv\"")
        return pandas.json_normalize(comparison["points"])

    def plot(self, ax: Axes = None, *, label: str | None = None, measured: Frame | None = None) -> Axes:
        """The curve, footprint on a logarithmic axis.

        `measured`, a frame with the same two columns, is shown as points; without it, those of `compare=` are,
        and the curve is then in their unit.
        """
        figure = self.figure
        if measured is None and "comparison" in self.document:
            figure = {"cycles": "latency_cycles", "ns": "latency_ns"}.get(self.document["comparison"]["unit"], figure)
            measured = self.measured().rename(columns={"measured": figure})
        return pictures.curve(self.frame(), figure, label or self.gpu, ax, measured)


class Loaded(Answer):
    """Latency under load. The frame has `injected_bytes_per_second` (missing where the stream is not limited),
    `bytes_per_second` achieved, `latency_ns` and `latency_cycles` of a dependent load."""

    def plot(self, ax: Axes = None, *, label: str | None = None) -> Axes:
        """Latency [ns] against achieved bandwidth [GB/s]."""
        return pictures.loaded(self.frame(), label or self.gpu, ax)


class Kernels(Answer):
    """Kernels, in the order in which they ran. `frame("levels")` has the traffic of all of them, level by level."""

    _main = "kernels"

    def stalls(self) -> Frame:
        """What warps waited for: a row a kernel, in order, a column a reason, shares of one."""
        kernels = self.document["kernels"]
        rows = [{s["stall"]: s["share"] for s in k["stalls"]} for k in kernels]
        return pandas.DataFrame(rows, index=pandas.Index([k["name"] for k in kernels], name="kernel")).fillna(0.0)

    def plot(self, ax: Axes = None) -> Axes:
        """What the warps of each kernel waited for, as stacked bars, the first kernel at the top."""
        return pictures.stacked(self.stalls(), "share of the time of warps", ax)


class Journey(Answer):
    """The stages of one load, in order: the frame has `stage`, `cycles`, `ns` and a note."""

    _main = "stages"

    def plot(self, ax: Axes = None) -> Axes:
        """A waterfall: each stage begins where the one before it ends."""
        return pictures.waterfall(self.frame(), ax)


class Sweep(Answer):
    """A point for each combination of values, which are columns `values.…`."""

    @property
    def figure(self) -> str:
        """The column that the question is about: a latency, a bandwidth or a time."""
        return {"bandwidth": "bytes_per_second", "run": "time_ns"}.get(self.document["question"]["name"], "latency_ns")

    def varied(self) -> list[str]:
        """The columns of what was varied, in the order given; of those that `zip` links, the first."""
        return [f"values.{parameter['field']}" for parameter in self.document["parameters"] if "follows" not in parameter]

    def plot(self, ax: Axes = None, *, figure: str | None = None) -> Axes:
        """One parameter: a line, or bars where its values are words. Two: a heat map. Raises ValueError for more."""
        return pictures.swept(self.frame(), self.varied(), figure or self.figure, ax)


class Comparison(Answer):
    """Two machines. The frame has the figures: first, second, and their relative change."""

    _main = "figures"

    def __str__(self) -> str:
        return str(self.document["in_words"])

    def plot(self, ax: Axes = None) -> Axes:
        """Where the time of a request, or what else is compared part by part, grew and shrank."""
        parts = self.frame("parts")
        return pictures.bars(parts[parts["group"] == parts["group"].iloc[0]].set_index("name")["difference"].dropna(), "difference", ax)


class Sensitivity(Answer):
    """Settings by their effect. `low.change` and `high.change` are relative changes of `figure`."""

    _main = "sensitivities"

    @property
    def figure(self) -> str:
        """The column of the answer that was watched."""
        return str(self.document["figure"])

    def plot(self, ax: Axes = None, *, top: int = 12) -> Axes:
        """A tornado chart of the `top` settings, coloured by how well each is known."""
        return pictures.tornado(self.frame().head(top), self.figure, ax)


class Validation(Answer):
    """Rows of `validation/`; `error` is relative, and `pass` whether it is within `tolerance`."""

    _main = "rows"

    def failures(self) -> Frame:
        """The rows that fail; empty if all is well."""
        rows = self.frame()
        return rows[~rows["pass"].astype(bool)]

    def plot(self, ax: Axes = None) -> Axes:
        """The error of each row beside its tolerance."""
        return pictures.errors(self.frame(), ax)
