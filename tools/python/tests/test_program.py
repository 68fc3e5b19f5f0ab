# SPDX-License-Identifier: Apache-2.0
"""Finding the program, what it refuses, and interrupts."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Callable

import pytest

import strata
from strata import Program, latency

ANSWER = {"strata": {"version": "0.1.0", "schema": 1}, "gpu": "tiny", "fingerprint": "0x1",
          "points": [{"footprint_bytes": 1024, "latency_ns": 2.5, "hit_level_shares": {"L1": 1}, "levels": [1]}]}
Fake = Callable[..., Path]


def test_a_refused_question_raises_what_the_program_says(fake: Fake) -> None:
    program = Program(fake("", "x.yaml:3:1: 'l2' must be a map\n", 2))
    with pytest.raises(strata.Error, match="x.yaml:3:1: 'l2' must be a map") as refused:
        latency("x.yaml", program=program)
    assert refused.value.exit_code == 2


def test_a_document_does_not_make_a_refusal_an_answer(fake: Fake) -> None:
    with pytest.raises(strata.Error, match="strata ended with 2"):
        latency("tiny", program=Program(fake(json.dumps(ANSWER), "", 2)))


def test_an_interrupted_answer_is_kept_and_says_so(fake: Fake) -> None:
    part = {**ANSWER, "incomplete": True, "done": {"what": "points", "done": 1, "asked": 7}}
    with pytest.warns(strata.Incomplete, match="the answer has 1 of 7 points") as warned:
        answer = latency("tiny", program=Program(fake(json.dumps(part), "", 130)))
    assert warned[0].filename == __file__
    assert not answer.complete
    assert "incomplete (1 of 7 points)" in repr(answer)
    assert len(answer.frame()) == 1


def interrupted(code: str, seconds: float, whole_group: bool) -> str:
    """What a Python process prints that is interrupted some time after it printed "begin"."""
    folder = Path(strata.__file__).parents[1]
    with subprocess.Popen([sys.executable, "-W", "ignore", "-c", code], stdout=subprocess.PIPE, text=True, cwd=folder,
                          start_new_session=True) as child:
        assert child.stdout is not None
        try:
            assert child.stdout.readline() == "begin\n"
            time.sleep(seconds)
            (os.killpg if whole_group else os.kill)(child.pid, signal.SIGINT)
            return child.communicate(timeout=30)[0]
        finally:
            if child.poll() is None:
                os.killpg(child.pid, signal.SIGKILL)


# Counts the signals that reach it within a second of the first.
COUNTING = """#!/bin/sh
count=0
trap 'count=$((count + 1))' INT TERM
while [ $count -eq 0 ]; do sleep 0.05; done
i=0
while [ $i -lt 10 ]; do sleep 0.1; i=$((i + 1)); done
echo '{"strata": {"schema": 1}, "gpu": "tiny", "fingerprint": "0x1", "points": [], "signals": '$count'}'
exit 130
"""


@pytest.mark.parametrize("whole_group", [True, False], ids=["terminal", "this-process-alone"])
def test_an_interrupt_is_one_signal_for_the_program(whole_group: bool, tmp_path: Path) -> None:
    counting = tmp_path / "strata"
    counting.write_text(COUNTING)
    counting.chmod(0o755)
    code = f"import strata; print('begin', flush=True); print(strata.latency('x', program=strata.Program({str(counting)!r})).document['signals'])"
    assert interrupted(code, 1, whole_group).split() == ["1"]


# Points of a long question, one after the other; prints a line before it begins, and its results at the end.
LONG = """
import strata
print("begin", flush=True)
curve = strata.latency("b200", from_="32KiB", to="4GiB", points_per_octave=16, jobs=1, timed_loads=262144)
print(curve.document["done"]["done"], len(curve.frame()), curve.complete)
"""


@pytest.mark.parametrize("whole_group", [True, False], ids=["terminal", "this-process-alone"])
def test_an_interrupt_ends_the_program_once(whole_group: bool) -> None:
    done, rows, complete = interrupted(LONG, 4, whole_group).split()
    assert 1 <= int(done) == int(rows) < 273
    assert complete == "False"


def test_an_interruption_without_an_answer_goes_on(fake: Fake) -> None:
    with pytest.raises(KeyboardInterrupt):
        latency("tiny", program=Program(fake("", "", 130)))


def test_failed_rows_are_an_answer(fake: Fake) -> None:
    rows = [{"id": "a", "error": 0.5, "tolerance": 0.1, "pass": False}, {"id": "b", "error": 0.0, "tolerance": 0.1, "pass": True}]
    answer = strata.validate(program=Program(fake(json.dumps({**ANSWER, "rows": rows}), "", 1)))
    assert list(answer.failures()["id"]) == ["a"]


def test_documents_of_another_schema_are_refused(fake: Fake) -> None:
    with pytest.raises(strata.Error, match="schema 2, this package reads 1"):
        latency("tiny", program=Program(fake(json.dumps({**ANSWER, "strata": {"schema": 2}}))))


def test_frames_join_names_and_leave_lists_out(fake: Fake) -> None:
    answer = latency("tiny", program=Program(fake(json.dumps(ANSWER), "note: one\n")))
    assert list(answer.frame().columns) == ["footprint_bytes", "latency_ns", "hit_level_shares.L1"]
    assert answer.notes == ["note: one"]
    with pytest.raises(KeyError, match="no table 'rows' in this answer; there are points"):
        answer.frame("rows")


def test_output_that_is_no_document_is_an_error(fake: Fake) -> None:
    with pytest.raises(strata.Error, match="not a JSON document"):
        latency("tiny", program=Program(fake("footprint latency\n")))


def test_a_program_named_by_a_path_that_is_none_is_not_found(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="strata is no program"):
        latency("tiny", program=Program(tmp_path / "strata"))


def test_without_a_program_the_error_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STRATA", "/nowhere/strata")
    with pytest.raises(FileNotFoundError, match="STRATA=/nowhere/strata is no program: build it"):
        strata.find_program()


def test_the_program_is_that_of_the_environment_then_of_the_tree_then_of_the_path(
        fake: Fake, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    on_path = fake("")
    tree = tmp_path / "tree"
    built = tree / "build" / "strata"
    built.parent.mkdir(parents=True)
    (tree / "CMakeLists.txt").touch()
    built.write_text("#!/bin/sh\n")
    built.chmod(0o755)
    monkeypatch.setattr("strata.program._TREE", tree)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("STRATA", "/bin/true")
    assert strata.find_program() == Path("/bin/true")
    monkeypatch.delenv("STRATA")
    assert strata.find_program() == built
    built.unlink()
    assert strata.find_program() == on_path
    on_path.unlink()
    with pytest.raises(FileNotFoundError, match="there is no program strata"):
        strata.find_program()


def test_the_version_is_that_of_the_program() -> None:
    assert strata.__version__ in Program().version()
