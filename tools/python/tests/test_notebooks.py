# SPDX-License-Identifier: Apache-2.0
"""The notebooks of docs/notebooks run from the first cell to the last, and are kept without outputs."""

from pathlib import Path
from time import monotonic

import nbformat
import pytest
from nbclient import NotebookClient

FOLDER = Path(__file__).resolve().parents[3] / "docs" / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))


def test_there_are_notebooks() -> None:
    assert len(NOTEBOOKS) >= 3


@pytest.mark.parametrize("path", NOTEBOOKS, ids=[path.stem for path in NOTEBOOKS])
def test_a_notebook_runs(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MPLBACKEND", raising=False)  # pictures go into the notebook
    notebook = nbformat.read(path, as_version=4)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert all(not cell.outputs for cell in code)
    begin = monotonic()
    NotebookClient(notebook, timeout=60, kernel_name="python3", resources={"metadata": {"path": str(FOLDER)}}).execute()
    assert monotonic() - begin < 30
    assert any("image/png" in output.get("data", {}) for cell in code for output in cell.outputs)
