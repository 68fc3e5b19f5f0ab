# SPDX-License-Identifier: Apache-2.0
"""What is drawn, from frames with known values: positions, units, order."""

from collections.abc import Iterator

import pytest
from matplotlib import colors, pyplot
from pandas import DataFrame, Series

from strata import pictures


@pytest.fixture(autouse=True)
def close() -> Iterator[None]:
    yield
    pyplot.close("all")


def test_sizes_are_powers_of_1024() -> None:
    assert [pictures.size_text(size) for size in (1000, 1024, 1536, 3 * 2**20, 2**50)] == [
        "1000 B", "1 KiB", "1.5 KiB", "3 MiB", "1024 TiB"]


def test_a_bandwidth_is_drawn_in_gigabytes_per_second() -> None:
    points = DataFrame({"footprint_bytes": [1024, 2048], "bytes_per_second": [2e9, 3e9]})
    measured = DataFrame({"footprint_bytes": [1024], "bytes_per_second": [4e9]})
    axes = pictures.curve(points, "bytes_per_second", "a", None, measured)
    assert [list(line.get_ydata()) for line in axes.get_lines()] == [pytest.approx([2, 3]), pytest.approx([4])]
    assert axes.get_ylabel() == "bandwidth [GB/s]"


def test_a_latency_is_drawn_in_ns() -> None:
    axes = pictures.curve(DataFrame({"footprint_bytes": [1024], "latency_ns": [7.5]}), "latency_ns", "a", None, None)
    assert list(axes.get_lines()[0].get_ydata()) == [7.5]
    assert axes.get_ylabel() == "latency [ns]"


def test_a_tornado_has_bars_in_percent_coloured_by_provenance() -> None:
    settings = DataFrame({"path": ["a", "b"], "provenance": ["sourced", "estimated"],
                          "low.change": [-0.2, None], "high.change": [0.3, 0.1]})
    axes = pictures.tornado(settings, "latency_ns", None)
    assert [bar.get_width() for bar in axes.patches] == pytest.approx([0, -20, 10, 30])
    assert [text.get_text() for text in axes.get_yticklabels()] == ["b", "a"]
    shown = [bar.get_facecolor() for bar in axes.patches[:2]]
    assert shown == [colors.to_rgba("tab:red"), colors.to_rgba("tab:green")]


def test_errors_and_tolerances_are_in_percent() -> None:
    rows = DataFrame({"id": ["a", "b", "c"], "error": [0.1, -0.02, None], "tolerance": [0.05, 0.05, 0.05], "pass": [False, True, True]})
    axes = pictures.errors(rows, None)
    assert [bar.get_x() for bar in axes.patches] == pytest.approx([-5, -5])
    assert [bar.get_width() for bar in axes.patches] == pytest.approx([10, 10])
    dots = axes.collections[0]
    assert [x for x, _ in dots.get_offsets()] == pytest.approx([10, -2])
    assert [tuple(colour) for colour in dots.get_facecolors()] == [colors.to_rgba("tab:red"), colors.to_rgba("tab:blue")]


def test_each_stage_begins_where_the_one_before_ends() -> None:
    axes = pictures.waterfall(DataFrame({"stage": ["L1", "L2", "L1"], "ns": [10, 40, 5]}), None)
    assert [bar.get_x() for bar in axes.patches] == [0, 10, 50]
    assert len(axes.get_yticklabels()) == 3


def test_shares_are_stacked_and_kernels_of_one_name_are_apart() -> None:
    axes = pictures.stacked(DataFrame({"memory": [0.75, 0.5], "issue": [0.25, 0.5]}, index=["k", "k"]), "share", None)
    assert [(bar.get_x(), bar.get_width()) for bar in axes.patches] == [(0, 0.75), (0, 0.5), (0.75, 0.25), (0.5, 0.5)]
    assert len({bar.get_y() for bar in axes.patches}) == 2
    assert axes.yaxis_inverted()


def test_differences_are_in_order_of_size() -> None:
    axes = pictures.bars(Series({"a": -3.0, "b": 1.0, "c": 2.0}), "difference", None)
    assert [bar.get_width() for bar in axes.patches] == [1, 2, -3]


def test_two_parameters_are_columns_and_rows_of_a_heat_map() -> None:
    points = DataFrame({"values.x_bytes": [1024, 1024, 2048, 2048], "values.y": ["p", "q", "p", "q"], "latency_ns": [1, 2, 3, 4]})
    axes = pictures.swept(points, ["values.x_bytes", "values.y"], "latency_ns", None)
    assert axes.get_images()[0].get_array().tolist() == [[1, 3], [2, 4]]
    assert [text.get_text() for text in axes.get_xticklabels()] == ["1 KiB", "2 KiB"]
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("x", "y")


def test_values_that_are_words_are_bars() -> None:
    axes = pictures.swept(DataFrame({"values.policy": ["lru", "fifo"], "time_ns": [1000, 3000]}), ["values.policy"], "time_ns", None)
    assert [bar.get_height() for bar in axes.patches] == pytest.approx([1, 3])
    assert axes.get_ylabel() == "time [us]"


def test_load_is_in_order_of_the_achieved_bandwidth() -> None:
    points = DataFrame({"bytes_per_second": [2e9, 1e9], "latency_ns": [50, 20]})
    line = pictures.loaded(points, "a", None).get_lines()[0]
    assert list(line.get_xdata()) == pytest.approx([1, 2])
    assert list(line.get_ydata()) == [20, 50]
