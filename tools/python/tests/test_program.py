# SPDX-License-Identifier: Apache-2.0
import json
from pathlib import Path
from typing import Any, Callable

import pytest

import strata
from strata import Program, latency

ANSWER = {"strata": {"version": "0.1.0", "schema": 1}, "gpu": "tiny", "fingerprint": "0x1",
          "points": [{"footprint_bytes": 1024, "latency_ns": 2.5, "hit_level_shares": {"L1": 1}, "levels": [1]}]}
Fake = Callable[..., Path]


def test_a_refused_question_raises_what_the_program_says(fake: Fake) -> None:
    program = Program(fake("", "x.yaml:3:1: 'l2' wants a map\n", 2))
    with pytest.raises(strata.Error, match="x.yaml:3:1: 'l2' wants a map") as refused:
        latency("x.yaml", program=program)
    assert refused.value.exit_code == 2


def test_an_interrupted_answer_is_kept_and_says_so(fake: Fake) -> None:
    answer = latency("tiny", program=Program(fake(json.dumps({**ANSWER, "incomplete": True}), "", 130)))
    assert not answer.complete
    assert len(answer.frame()) == 1


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


def test_without_a_program_the_error_says_what_to_do(monkeypatch: Any) -> None:
    monkeypatch.setenv("STRATA", "/nowhere/strata")
    with pytest.raises(FileNotFoundError, match="STRATA=/nowhere/strata is no program: build it"):
        strata.find_program()
