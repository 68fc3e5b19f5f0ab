# SPDX-License-Identifier: Apache-2.0
"""Keyword arguments as words of the command line."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Union

Value = Union[str, int, float, bool, "os.PathLike[str]", None]
Option = Union[Value, Sequence[Value], Sequence[Sequence[Value]], Mapping[str, object]]
Changes = Mapping[str, Union[str, int, float, bool]]

# Those that the program takes several times; a list of another is one text with commas.
_REPEATED = {"change", "gpu", "id", "kernel", "kind", "set", "trace", "vary", "where"}


def _plain(value: object) -> object:
    """Values of numpy and pandas as those of Python: a number, or a list."""
    return value.tolist() if hasattr(value, "tolist") else value


def _several(value: object) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str)


def _word(value: object) -> str:
    value = _plain(value)
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ",".join(_word(one) for one in value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(os.fspath(value)) if isinstance(value, os.PathLike) else str(value)


def assignments(option: str, changes: Mapping[str, object] | None) -> list[str]:
    """`{"l2.slices_per_die": 12}` as `["--set", "l2.slices_per_die=12"]`; a list of values is joined by commas."""
    words = []
    for path, value in (changes or {}).items():
        words += [f"--{option}", f"{path}={_word(value)}"]
    return words


def words_of(options: Mapping[str, Option]) -> list[str]:
    """Options as words, in the order given.

    `points_per_octave=2` becomes `--points-per-octave 2`, `from_="1MiB"` `--from 1MiB`, `True` a flag
    alone; `None` and `False` leave it out. A list is joined by commas (`footprint=["1KiB", "2KiB"]`), or gives
    an option several times where the program takes it so (`id=["B2-13", "B2-16"]`, and a list of lists,
    `zip=[["a", "b"], ["c", "d"]]`). A mapping gives it once for each item as `NAME=VALUE`.
    """
    words: list[str] = []
    for name, given in options.items():
        option = name.rstrip("_").replace("_", "-")
        value = _plain(given)
        if value is None or value is False:
            continue
        if value is True:
            words.append(f"--{option}")
        elif isinstance(value, Mapping):
            words += assignments(option, value)
        elif isinstance(value, Sequence) and _several(value) and (option in _REPEATED or any(map(_several, value))):
            for one in value:
                words += [f"--{option}", _word(one)]
        else:
            words += [f"--{option}", _word(value)]
    return words
