# SPDX-License-Identifier: Apache-2.0
from pathlib import Path

from strata.options import assignments, words_of


def test_names_take_dashes_and_lose_the_underscore_of_a_word_of_python() -> None:
    assert words_of({"points_per_octave": 2, "from_": "1MiB"}) == ["--points-per-octave", "2", "--from", "1MiB"]


def test_flags_stand_alone_and_what_is_not_wanted_is_left_out() -> None:
    assert words_of({"segmented": True, "whole_warm_up": False, "seed": None}) == ["--segmented"]


def test_a_list_repeats_its_option_and_a_mapping_assigns() -> None:
    assert words_of({"id": ["B2-13", "B2-16"]}) == ["--id", "B2-13", "--id", "B2-16"]
    assert words_of({"zip": {"a.b": ["1", "2"]}}) == ["--zip", "a.b=1,2"]


def test_values_are_written_as_the_program_reads_them() -> None:
    assert assignments("set", {"l2.bypass": True, "l2.slices_per_die": 12.0, "by": 0.25, "file": Path("x/y")}) == [
        "--set", "l2.bypass=true", "--set", "l2.slices_per_die=12", "--set", "by=0.25", "--set", "file=x/y"]
