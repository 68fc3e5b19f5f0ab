# SPDX-License-Identifier: Apache-2.0
"""The Python blocks of docs/guide/python.md run, one after the other."""

import re
from pathlib import Path
from typing import Any

from matplotlib import pyplot

GUIDE = Path(__file__).resolve().parents[3] / "docs" / "guide" / "python.md"


def test_the_blocks_of_the_guide_run(capsys: Any) -> None:
    blocks = re.findall(r"^```python\n(.*?)^```", GUIDE.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    assert len(blocks) >= 3
    names: dict[str, Any] = {}
    for block in blocks:
        exec(block, names)  # noqa: S102
    printed = capsys.readouterr().out
    assert "'l2.cache.ways' must be" in printed
    assert "The latency rises" in printed
    pyplot.close("all")
