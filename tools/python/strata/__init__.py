# SPDX-License-Identifier: Apache-2.0
"""Strata from Python: ask the program, get pandas frames and matplotlib pictures.

>>> import strata
>>> curve = strata.latency("b580", from_="1MiB", to="64MiB", points_per_octave=1)
>>> curve.frame()[["footprint_bytes", "latency_ns"]]
>>> curve.plot()

The model is that of the program, which must be built or installed; see `strata.program`.
Each function runs one verb of it. Options are those of `strata VERB --help`, with `_` for
`-`; an option whose name is a word of Python ends in `_`. Settings are given as a mapping:

>>> strata.latency("b200", changes={"l2.capacity": "189.25MiB"}, from_="48MiB", to="192MiB")
"""

from .answers import Answer, Comparison, Curve, Journey, Kernels, Loaded, Sensitivity, Sweep, Validation
from .program import Error, Incomplete, Program, find_program
from .verbs import bandwidth, compare, explain, latency, run, sensitivity, setting, sweep, validate
from .version import VERSION as __version__

__all__ = [
    "Answer", "Comparison", "Curve", "Error", "Incomplete", "Journey", "Kernels", "Loaded", "Program", "Sensitivity",
    "Sweep", "Validation", "__version__", "bandwidth", "compare", "explain", "find_program", "latency", "run",
    "sensitivity", "setting", "sweep", "validate",
]
