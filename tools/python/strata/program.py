# SPDX-License-Identifier: Apache-2.0
"""Finding and running the program."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .version import SCHEMA

Document = dict[str, Any]

_INTERRUPTED = 130
# Ctrl-C in a terminal reaches all processes, the stop button of a notebook perhaps this one alone. The program
# ends at once at a second signal, so it ignores SIGINT, and ask() sends it one SIGTERM.
_WITHOUT_INTERRUPTS = ("/bin/sh", "-c", 'trap "" INT; exec "$@"', "sh")
_TREE = Path(__file__).resolve().parents[3]


class Error(Exception):
    """The program refused a question; the text is its message, with file, line and remedy.

    `exit_code` is 2 for a usage, configuration or input error. `words` are those of the command.
    """

    def __init__(self, message: str, exit_code: int, words: Sequence[str]) -> None:
        super().__init__(message)
        self.exit_code = exit_code
        self.words = list(words)


class Incomplete(UserWarning):
    """An interrupt ended a question early; its answer has the points that were done."""


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


def progress(document: Document) -> str:
    """How much of an incomplete answer is there: "3 of 273 points"."""
    done = document.get("done")
    return f"{done['done']} of {done['asked']} {done['what']}" if done else "a part of the points"


class Program:
    """The program at a path; without one, that of find_program()."""

    def __init__(self, path: str | os.PathLike[str] | None = None) -> None:
        self.path = Path(path) if path is not None else find_program()

    def ask(self, words: Sequence[str]) -> Reply:
        """Runs `strata WORDS --quiet --json -` and reads the document.

        At Ctrl-C the program ends with what it has, which is returned with the warning `Incomplete`; where it has
        nothing, KeyboardInterrupt is raised. A second Ctrl-C kills the program. Exit code 1 (some rows of `validate`
        failed) is an answer. Raises Error where the question is refused or the document cannot be read, and
        FileNotFoundError where there is no program at `path`.
        """
        quiet = [] if words[0] == "explain" else ["--quiet"]  # it has no progress to show
        command = [str(self.path), *words, *quiet, "--json", "-"]
        code, out, err, interrupted = self._run(command)
        if interrupted and not out.strip():
            raise KeyboardInterrupt
        if code not in (0, 1, _INTERRUPTED) or not out.strip():
            raise Error(err.strip() or f"strata ended with {code}", code, command)
        try:
            document: Document = json.loads(out)
        except json.JSONDecodeError as error:
            raise Error(f"the output is not a JSON document: {error}", code, command) from error
        schema = document.get("strata", {}).get("schema")
        if schema != SCHEMA:
            raise Error(f"documents of schema {schema}, this package reads {SCHEMA}: install the one beside the program",
                        code, command)
        if document.get("incomplete"):
            warnings.warn(f"interrupted: the answer has {progress(document)}", Incomplete, stacklevel=4)
        return Reply(document, [line for line in err.splitlines() if line], ["strata", *words])

    def _run(self, command: Sequence[str]) -> tuple[int, str, str, bool]:
        """Exit code, stdout, stderr, and whether an interrupt ended it."""
        if shutil.which(command[0]) is None:
            raise FileNotFoundError(f"{command[0]} is no program")
        interrupted = False
        with subprocess.Popen([*_WITHOUT_INTERRUPTS, *command], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True) as child:
            try:
                try:
                    out, err = child.communicate()
                except KeyboardInterrupt:
                    interrupted = True
                    child.send_signal(signal.SIGTERM)
                    out, err = child.communicate()
            except BaseException:
                child.kill()
                raise
        return child.returncode, out, err, interrupted or child.returncode == _INTERRUPTED

    def version(self) -> str:
        """What `strata --version` prints."""
        return subprocess.run([str(self.path), "--version"], check=True, capture_output=True, text=True).stdout.strip()
