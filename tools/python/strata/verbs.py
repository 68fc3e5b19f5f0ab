# SPDX-License-Identifier: Apache-2.0
"""One function a verb. Each runs the program once and returns its answer.

Arguments that all share: `gpu`, a name of `strata list gpus` or the path of a YAML file; `changes`, settings
that are overridden (`--set`); `program`, if not the one that is found; further keywords, the options of the verb.
Sizes and times are text with a unit (`"24MiB"`, `"10ns"`). All raise `Error` where the question is refused,
FileNotFoundError where there is no program, and KeyboardInterrupt where an interrupt left no answer; one that left
a part of it gives the warning `Incomplete`.

Frames have columns as the document has: latencies in ns and in core clock cycles, bandwidths in bytes per second,
sizes in bytes, shares and errors as fractions of one.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Literal, Union, overload

from .answers import Answer, Comparison, Curve, Journey, Kernels, Loaded, Sensitivity, Sweep, Validation
from .options import Changes, Option, assignments, words_of
from .program import Program, Reply

Gpu = Union[str, "os.PathLike[str]"]


def _ask(words: Sequence[str], gpu: Gpu | None, changes: Changes | None, options: Mapping[str, Option],
         program: Program | None) -> Reply:
    named = [] if gpu is None else ["--gpu", os.fspath(gpu)]
    return (program or Program()).ask([*words, *named, *assignments("set", changes), *words_of(options)])


def latency(gpu: Gpu, *, changes: Changes | None = None, program: Program | None = None, **options: Option) -> Curve:
    """Load-to-use latency against footprint.

    A row a point: `footprint_bytes`, `latency_ns`, `latency_cycles` and `hit_level_shares.LEVEL`, the share of
    the loads that each level served. `compare="FILE.csv"` adds measured points, see `Curve.measured`.
    """
    return Curve(_ask(["latency"], gpu, changes, options, program), "latency_ns")


@overload
def bandwidth(gpu: Gpu, *, loaded: Literal[False] = False, changes: Changes | None = None,
              program: Program | None = None, **options: Option) -> Curve: ...
@overload
def bandwidth(gpu: Gpu, *, loaded: Literal[True], changes: Changes | None = None,
              program: Program | None = None, **options: Option) -> Loaded: ...
def bandwidth(gpu: Gpu, *, loaded: bool = False, changes: Changes | None = None, program: Program | None = None,
              **options: Option) -> Curve | Loaded:
    """Sustained bandwidth against footprint, or, with `loaded`, latency against load.

    A row a point: `footprint_bytes`, `bytes_per_second`, `cores`, `mean_latency_ns` and more; with `loaded`
    `injected_bytes_per_second`, `bytes_per_second`, `latency_ns`, `latency_cycles`.
    """
    reply = _ask(["bandwidth"], gpu, changes, {"loaded": loaded, **options}, program)
    return Loaded(reply) if loaded else Curve(reply, "bytes_per_second")


def run(gpu: Gpu, kernel: str | Sequence[str] | None = None, *, changes: Changes | None = None,
        program: Program | None = None, **options: Option) -> Kernels:
    """Kernels, one after the other: a row a kernel, with `time_ns`, `cycles`, `warp_instructions` and more.

    `kernel` is a name with parameters (`"sgemm_tiled,n=256"`), a YAML file, or a list of those; `trace=` a trace.
    """
    return Kernels(_ask(["run"], gpu, changes, {"kernel": kernel, **options}, program))


def explain(gpu: Gpu, address: str | int, *, changes: Changes | None = None, program: Program | None = None,
            **options: Option) -> Journey:
    """The journey of one load of the virtual byte `address`: a row a stage, with `stage`, `cycles`, `ns`.

    The caches are cold; with `after="2KiB"` a chase over that much memory came before.
    """
    return Journey(_ask(["explain"], gpu, changes, {"address": address, **options}, program))


def setting(gpu: Gpu, path: str, *, changes: Changes | None = None, program: Program | None = None) -> dict[str, str]:
    """What a setting is, as text: `meaning`, `kind`, `range`, `default`, `value`, `set by`, `provenance`."""
    rows = Answer(_ask(["explain"], gpu, changes, {"path": path}, program)).document["setting"]
    return {row["what"]: row["text"] for row in rows}


def sweep(gpu: Gpu | Sequence[Gpu], question: str, vary: Mapping[str, object] | None = None, *,
          changes: Changes | None = None, program: Program | None = None, **options: Option) -> Sweep:
    """One question (`"latency"`, `"bandwidth"`, `"loaded"`, `"run"`) at every combination of the values in `vary`.

    Values are a list, or text as for `--vary` (`"1MiB..64MiB:x2"`); several GPUs are a further dimension, `gpu`,
    and `kernel` and `trace` may be varied like settings. A row a point: `values.PATH` of each path, and the columns
    of the question.
    """
    alone = gpu if isinstance(gpu, (str, os.PathLike)) else None
    varied = [] if alone is not None else assignments("vary", {"gpu": gpu})
    return Sweep(_ask(["sweep", question, *varied, *assignments("vary", vary)], alone, changes, options, program))


def compare(gpu: Gpu, question: str, *, other: Gpu | None = None, with_changes: Changes | None = None,
            changes: Changes | None = None, program: Program | None = None, **options: Option) -> Comparison:
    """One question to two machines: `gpu`, and `other` or itself with `with_changes`. `changes` hold for both.

    A row a figure: `figure`, `first`, `second` and `change`, a share of the first. `str()` is a sentence.
    """
    second = ([] if other is None else ["--other", os.fspath(other)]) + assignments("change", with_changes)
    return Comparison(_ask(["compare", question, *second], gpu, changes, options, program))


def sensitivity(gpu: Gpu, question: str, *, changes: Changes | None = None, program: Program | None = None,
                **options: Option) -> Sensitivity:
    """Every setting that the question reads, moved down and up by a share (`by="20%"`), the largest change first.

    A row a setting: `path`, `value`, `provenance`, `largest_change`, `low.change`, `high.change`, the changes as
    shares of the answer.
    """
    return Sensitivity(_ask(["sensitivity", question], gpu, changes, options, program))


def validate(gpu: Gpu | Sequence[str] | None = None, *, changes: Changes | None = None, program: Program | None = None,
             **options: Option) -> Validation:
    """The rows of `validation/`, of one GPU, of several, or of all.

    A row an expectation: `id`, `quantity`, `unit`, `measured`, `predicted`, `error` and `tolerance` (shares of the
    measured value), `kind` and `pass`.
    """
    return Validation(_ask(["validate"], None, changes, {"gpu": gpu, **options}, program))
