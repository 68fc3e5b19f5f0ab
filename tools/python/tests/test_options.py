# SPDX-License-Identifier: Apache-2.0
"""Keyword arguments become words of the command line."""

from pathlib import Path

import numpy
import pandas

from strata.options import assignments, words_of


def test_names_take_dashes_and_lose_the_underscore_of_a_word_of_python() -> None:
    assert words_of({"points_per_octave": 2, "from_": "1MiB"}) == ["--points-per-octave", "2", "--from", "1MiB"]


def test_flags_stand_alone_and_what_is_not_wanted_is_left_out() -> None:
    assert words_of({"segmented": True, "whole_warm_up": False, "seed": None}) == ["--segmented"]


def test_a_list_repeats_its_option_where_the_program_takes_it_so() -> None:
    assert words_of({"id": ["B2-13", "B2-16"]}) == ["--id", "B2-13", "--id", "B2-16"]
    assert words_of({"kernel": ["copy,bytes=1KiB", "add"]}) == ["--kernel", "copy,bytes=1KiB", "--kernel", "add"]


def test_another_list_is_joined_by_commas() -> None:
    assert words_of({"footprint": ["1KiB", "2KiB"], "dies": (0, 1)}) == ["--footprint", "1KiB,2KiB", "--dies", "0,1"]
    assert words_of({"zip": [["a", "b"], ["c", "d"]]}) == ["--zip", "a,b", "--zip", "c,d"]


def test_a_mapping_assigns() -> None:
    assert words_of({"where": {"op": "read", "width": 16}}) == ["--where", "op=read", "--where", "width=16"]


def test_values_of_numpy_and_pandas_are_those_of_python() -> None:
    assert assignments("vary", {"a": numpy.array([1, 2]), "b": pandas.Series([0.5, 2.0])}) == ["--vary", "a=1,2", "--vary", "b=0.5,2"]
    assert assignments("set", {"l2.bypass": numpy.bool_(True), "n": numpy.int64(3)}) == ["--set", "l2.bypass=true", "--set", "n=3"]


def test_values_are_written_as_the_program_reads_them() -> None:
    assert assignments("set", {"l2.bypass": True, "l2.slices_per_die": 12.0, "by": 0.25, "file": Path("x/y")}) == [
        "--set", "l2.bypass=true", "--set", "l2.slices_per_die=12", "--set", "by=0.25", "--set", "file=x/y"]
