# SPDX-License-Identifier: Apache-2.0
"""Finding and running the program."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .version import SCHEMA

Document = dict[str, Any]

_INTERRUPTED = 130
_TREE = Path(__file__).resolve().parents[3]


class Error(Exception):
    """The program refused a question; the text is what it says, with file, line and remedy.

    `exit_code` is 2 for what the user can mend. `words` are those of the command.
    """

    def __init__(self, message: str, exit_code: int, words: Sequence[str]) -> None:
        super().__init__(message)
        self.exit_code = exit_code
        self.words = list(words)


@dataclass(frozen=True)
class Reply:
    """What a run printed: its document, its notes (lines on stderr) and the words that asked for it."""

    document: Document
    notes: list[str]
    words: list[str]


def find_program() -> Path:
    """The program: `$STRATA`, else `build/strata` of the tree this package lies in, else `strata` on the PATH.

    Raises FileNotFoundError, with what to do, where there is none.
    """
    named = os.environ.get("STRATA")
    built = _TREE / "build" / "strata"
    if named:
        found = shutil.which(named)
    elif (_TREE / "CMakeLists.txt").is_file() and os.access(built, os.X_OK):
        return built
    else:
        found = shutil.which("strata")
    if found is None:
        where = f"STRATA={named} is no program" if named else "there is no program strata"
        raise FileNotFoundError(f"{where}: build it (./quickstart), put it on the PATH, or set STRATA to its path")
    return Path(found)


class Program:
    """The program at a path; without one, that of find_program()."""

    def __init__(self, path: str | os.PathLike[str] | None = None) -> None:
        self.path = Path(path) if path is not None else find_program()

    def ask(self, words: Sequence[str]) -> Reply:
        """Runs `strata WORDS --quiet --json -` and reads the document.

        Ctrl-C reaches the program too, which then answers with what it has, marked incomplete; where it
        has nothing, KeyboardInterrupt goes on. Exit code 1 (some rows of `validate` failed) is an answer.
        Raises Error where the question is refused.
        """
        quiet = [] if words[0] == "explain" else ["--quiet"]  # it has no progress to show
        command = [str(self.path), *words, *quiet, "--json", "-"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as child:
            try:
                out, err = child.communicate()
            except KeyboardInterrupt:
                out, err = child.communicate()
        interrupted = child.returncode == _INTERRUPTED
        if interrupted and not out.strip():
            raise KeyboardInterrupt
        if child.returncode not in (0, 1, _INTERRUPTED) or not out.strip():
            raise Error(err.strip() or f"strata ended with {child.returncode}", child.returncode, command)
        document: Document = json.loads(out)
        schema = document.get("strata", {}).get("schema")
        if schema != SCHEMA:
            raise Error(f"documents of schema {schema}, this package reads {SCHEMA}: install the one beside the program",
                        child.returncode, command)
        return Reply(document, [line for line in err.splitlines() if line], ["strata", *words])

    def version(self) -> str:
        """What `strata --version` prints."""
        return subprocess.run([str(self.path), "--version"], check=True, capture_output=True, text=True).stdout.strip()
