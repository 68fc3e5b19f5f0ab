# SPDX-License-Identifier: Apache-2.0
"""Keyword arguments as words of the command line."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Union

Value = Union[str, int, float, bool, "os.PathLike[str]", None]
Option = Union[Value, Sequence[Value], Mapping[str, object]]
Changes = Mapping[str, Union[str, int, float, bool]]


def _word(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(os.fspath(value)) if isinstance(value, os.PathLike) else str(value)


def assignments(option: str, changes: Mapping[str, object] | None) -> list[str]:
    """`{"l2.slices_per_die": 12}` as `["--set", "l2.slices_per_die=12"]`; a list of values is joined by commas."""
    words = []
    for path, value in (changes or {}).items():
        several = isinstance(value, Sequence) and not isinstance(value, str)
        text = ",".join(_word(v) for v in value) if several else _word(value)  # type: ignore[attr-defined]
        words += [f"--{option}", f"{path}={text}"]
    return words


def words_of(options: Mapping[str, Option]) -> list[str]:
    """Options as words, in the order given.

    `points_per_octave=2` becomes `--points-per-octave 2`, `from_="1MiB"` `--from 1MiB`, `True` a flag
    alone; `None` and `False` leave it out, a list gives the option several times, a mapping gives it
    once for each item as `NAME=VALUE`.
    """
    words: list[str] = []
    for name, value in options.items():
        option = name.rstrip("_").replace("_", "-")
        if value is None or value is False:
            continue
        if value is True:
            words.append(f"--{option}")
        elif isinstance(value, Mapping):
            words += assignments(option, value)
        elif isinstance(value, Sequence) and not isinstance(value, str):
            for one in value:
                words += [f"--{option}", _word(one)]
        else:
            words += [f"--{option}", _word(value)]
    return words
