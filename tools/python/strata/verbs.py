# SPDX-License-Identifier: Apache-2.0
"""One function a verb. Each runs the program once and returns its answer.

Arguments that all share: `gpu`, a name of `strata list gpus` or the path of a YAML file; `changes`, settings
that are overridden (`--set`); `program`, if not the one that is found; further keywords, the options of the verb.
Sizes and times are text with a unit (`"24MiB"`, `"10ns"`). All raise `Error` where the question is refused.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Union

from .answers import Comparison, Curve, Journey, Kernels, Sensitivity, Sweep, Validation
from .options import Changes, Option, assignments, words_of
from .program import Program, Reply

Gpu = Union[str, "os.PathLike[str]"]


def _ask(words: Sequence[str], gpu: Gpu | None, changes: Changes | None, options: Mapping[str, Option],
         program: Program | None) -> Reply:
    named = [] if gpu is None else ["--gpu", os.fspath(gpu)]
    return (program or Program()).ask([*words, *named, *assignments("set", changes), *words_of(options)])


def latency(gpu: Gpu, *, changes: Changes | None = None, program: Program | None = None, **options: Option) -> Curve:
    """Load-to-use latency against footprint: a row a point, in ns and core cycles, with the share of each level."""
    return Curve(_ask(["latency"], gpu, changes, options, program), "latency_ns")


def bandwidth(gpu: Gpu, *, changes: Changes | None = None, program: Program | None = None, **options: Option) -> Curve:
    """Sustained bandwidth against footprint: a row a point, in bytes a second, with bottleneck and latency."""
    return Curve(_ask(["bandwidth"], gpu, changes, options, program), "bytes_per_second")


def run(gpu: Gpu, kernel: str | None = None, *, changes: Changes | None = None, program: Program | None = None,
        **options: Option) -> Kernels:
    """Kernels by name (`"sgemm_tiled,n=256"`), by file (`kernel_file=`) or from a trace (`trace=`): a row a kernel."""
    return Kernels(_ask(["run"], gpu, changes, {"kernel": kernel, **options}, program))


def explain(gpu: Gpu, address: str, *, changes: Changes | None = None, program: Program | None = None,
            **options: Option) -> Journey:
    """The journey of one load of `address`, stage by stage; `after="2KiB"` reads that much before."""
    return Journey(_ask(["explain"], gpu, changes, {"address": address, **options}, program))


def sweep(gpu: Gpu, question: str, vary: Mapping[str, Sequence[object]], *, changes: Changes | None = None,
          program: Program | None = None, **options: Option) -> Sweep:
    """One question (`"latency"`, `"bandwidth"`, `"loaded"`, `"run"`) at every combination of the values in `vary`."""
    varied = assignments("vary", vary)
    return Sweep(_ask(["sweep", question, *varied], gpu, changes, options, program))


def compare(gpu: Gpu, question: str, *, other: Gpu | None = None, with_changes: Changes | None = None,
            changes: Changes | None = None, program: Program | None = None, **options: Option) -> Comparison:
    """One question to two machines: `gpu`, and `other` or itself with `with_changes`. `changes` hold for both."""
    second = ([] if other is None else ["--other", os.fspath(other)]) + assignments("change", with_changes)
    return Comparison(_ask(["compare", question, *second], gpu, changes, options, program))


def sensitivity(gpu: Gpu, question: str, *, changes: Changes | None = None, program: Program | None = None,
                **options: Option) -> Sensitivity:
    """Every setting that the question reads, moved down and up: a row a setting, the largest change first."""
    return Sensitivity(_ask(["sensitivity", question], gpu, changes, options, program))


def validate(gpu: Gpu | None = None, *, program: Program | None = None, **options: Option) -> Validation:
    """The rows of `validation/`, of one GPU or of all: measured, predicted, error, tolerance, pass."""
    return Validation(_ask(["validate"], gpu, None, options, program))
