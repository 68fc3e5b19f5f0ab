# SPDX-License-Identifier: Apache-2.0
"""Pictures without a screen; a program that prints what a test expects."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

os.environ.setdefault("MPLBACKEND", "Agg")


@pytest.fixture
def fake(tmp_path: Path) -> Callable[..., Path]:
    """A program that ignores its words, prints `out` and `err` and ends with `code`."""

    def make(out: str, err: str = "", code: int = 0) -> Path:
        (tmp_path / "out").write_text(out)
        (tmp_path / "err").write_text(err)
        path = tmp_path / "strata"
        path.write_text(f"#!/bin/sh\ncat {tmp_path}/out\ncat {tmp_path}/err >&2\nexit {code}\n")
        path.chmod(0o755)
        return path

    return make
