# SPDX-License-Identifier: Apache-2.0
"""The verbs against the program itself, on the machine of the lessons, whose latencies are round sums."""

from pathlib import Path
from typing import Any

import numpy
import pytest
from matplotlib import pyplot

import strata

SMALL = "lesson-small"  # L1 1 KiB: 10 clk; L2: 40 clk; cycles are nanoseconds
CHASE: dict[str, Any] = {"footprint": "4KiB", "order": "ascending", "timed_loads": 256}


def test_a_latency_curve_has_a_row_a_point() -> None:
    curve = strata.latency(SMALL, from_="512B", to="4KiB", points_per_octave=1, order="ascending")
    frame = curve.frame().set_index("footprint_bytes")
    assert list(frame.index) == [512, 1024, 2048, 4096]
    assert frame.loc[1024, "latency_ns"] == pytest.approx(10)
    assert frame.loc[4096, "latency_ns"] == pytest.approx(40)
    assert frame.loc[4096, "hit_level_shares.L2"] == 1
    assert curve.command.startswith("strata latency --gpu lesson-small --from 512B --to 4KiB")
    assert curve.settings().loc["l1.cache.hit_latency", "value"] == "9 clk"
    assert curve.complete


def test_changes_are_settings() -> None:
    slower = strata.latency(SMALL, changes={"l1.cache.hit_latency": "29clk"}, from_="512B", to="512B")
    assert slower.frame()["latency_ns"].iloc[0] == pytest.approx(30)


def test_a_refusal_is_the_programs_own_words() -> None:
    with pytest.raises(strata.Error, match="'l1.cache.ways' must be"):
        strata.latency(SMALL, changes={"l1.cache.ways": 0})


def test_a_bandwidth_stays_below_the_width_of_the_l1() -> None:
    read = strata.bandwidth(SMALL, footprint="1KiB", op="read").frame().iloc[0]
    assert 0 < read["bytes_per_second"] <= 128e9
    assert isinstance(read["bottleneck.in_words"], str)


def test_footprints_are_a_list() -> None:
    frame = strata.bandwidth(SMALL, footprint=["1KiB", "2KiB"]).frame()
    assert list(frame["footprint_bytes"]) == [1024, 2048]


def test_latency_under_load_rises_and_is_drawn_against_the_achieved_bandwidth() -> None:
    answer = strata.bandwidth("b580", loaded=True, footprint="128MiB", inject=["0", "max"])
    frame = answer.frame()
    assert frame["injected_bytes_per_second"].iloc[0] == 0
    assert frame["latency_ns"].iloc[1] > 2 * frame["latency_ns"].iloc[0]
    line = answer.plot().get_lines()[0]
    assert list(line.get_ydata()) == list(frame["latency_ns"])
    assert line.get_xdata()[1] == pytest.approx(frame["bytes_per_second"].iloc[1] * 1e-9)
    pyplot.close("all")


def test_measured_points_of_a_file_are_drawn_in_their_unit(tmp_path: Path) -> None:
    file = tmp_path / "measured.csv"
    file.write_text("footprint_bytes,latency_cycles\n512,8\n4096,40\n")
    curve = strata.latency(SMALL, from_="512B", to="4KiB", points_per_octave=1, order="ascending", compare=file)
    assert list(curve.measured()["error"]) == pytest.approx([0.25, 0], abs=1e-3)
    axes = curve.plot()
    assert axes.get_ylabel() == "latency_cycles"
    assert list(axes.get_lines()[1].get_ydata()) == [8, 40]
    with pytest.raises(KeyError, match="no measured points"):
        strata.latency(SMALL, from_="512B", to="512B").measured()
    pyplot.close("all")


def test_kernels_have_levels_and_stalls() -> None:
    answer = strata.run(SMALL, "vecadd,n=1024")
    assert list(answer.frame()["name"]) == ["vecadd"]
    assert list(answer.frame("levels")["name"]) == ["L1", "L2", "DRAM"]
    assert answer.stalls().loc["vecadd"].sum() == pytest.approx(1, abs=0.02)


def test_a_kernel_that_runs_twice_has_two_rows() -> None:
    answer = strata.run(SMALL, ["vecadd,n=1024", "copy,bytes=4KiB"], repeat=2)
    names = ["vecadd", "copy", "vecadd", "copy"]
    assert list(answer.frame()["name"]) == names
    assert list(answer.stalls().index) == names
    assert list(answer.stalls().sum(axis=1)) == pytest.approx([1] * 4, abs=0.02)
    axes = answer.plot()
    assert [text.get_text() for text in axes.get_yticklabels()] == names
    assert len({patch.get_y() for patch in axes.patches}) == 4
    pyplot.close("all")


def test_a_setting_has_a_meaning_and_a_value() -> None:
    hit = strata.setting(SMALL, "l1.cache.hit_latency", changes={"l1.cache.hit_latency": "29clk"})
    assert hit["value"] == "29clk"
    assert hit["meaning"]


def test_a_journey_is_a_sum_of_stages() -> None:
    cold = strata.explain(SMALL, "0x0")
    assert cold.frame()["ns"].sum() == pytest.approx(110)
    assert strata.explain(SMALL, "0x0", after="2KiB").frame()["ns"].sum() == pytest.approx(40)
    assert len(cold.plot().patches) == len(cold.frame())
    pyplot.close("all")


def test_a_sweep_has_a_row_a_combination() -> None:
    latencies = ["15clk", "25clk"]
    answer = strata.sweep(SMALL, "latency", {"l2.cache.hit_latency": latencies, "l1.cache.replacement": ["lru", "fifo"]}, **CHASE)
    assert answer.figure == "latency_ns"
    assert len(answer.frame()) == 4
    first, second = answer.varied()
    slow = answer.frame().groupby(first)["latency_ns"].mean()
    assert slow.iloc[1] - slow.iloc[0] == pytest.approx(10)
    assert second == "values.l1.cache.replacement"


def test_linked_parameters_are_drawn_as_a_line() -> None:
    answer = strata.sweep(SMALL, "latency", {"l2.cache.hit_latency": ["15clk", "25clk"], "l2.cache.ways": numpy.array([2, 4])},
                          zip=["l2.cache.hit_latency", "l2.cache.ways"], **CHASE)
    assert list(answer.frame()["values.l2.cache.ways"]) == [2, 4]
    assert answer.varied() == ["values.l2.cache.hit_latency_cycles"]
    line = answer.plot().get_lines()[0]
    assert list(line.get_ydata()) == list(answer.frame()["latency_ns"])
    pyplot.close("all")


def test_a_range_of_values_is_text() -> None:
    answer = strata.sweep(SMALL, "latency", {"footprint": "1KiB..4KiB:x2"}, timed_loads=64)
    assert list(answer.frame()["values.footprint_bytes"]) == [1024, 2048, 4096]


def test_several_gpus_and_kernels_are_dimensions_of_a_sweep() -> None:
    answer = strata.sweep([SMALL, "b580"], "run", {"kernel": ["vecadd,n=1024", "vecadd,n=2048"]})
    assert [(str(gpu), kernel) for gpu, kernel in zip(answer.frame()["values.gpu"], answer.frame()["values.kernel"])] == [
        (gpu, kernel) for gpu in (str(SMALL), "b580") for kernel in ("vecadd,n=1024", "vecadd,n=2048")]
    alone = strata.sweep(SMALL, "run", {"kernel": ["vecadd,n=1024", "vecadd,n=2048"]})
    assert list(alone.frame()["time_ns"]) == list(answer.frame()["time_ns"][:2])


def test_a_sweep_of_times_draws_times() -> None:
    answer = strata.sweep(SMALL, "run", {"l2.cache.hit_latency": ["15clk", "25clk"]}, kernel="vecadd,n=1024")
    assert answer.figure == "time_ns"
    assert list(answer.plot().get_lines()[0].get_ydata()) == pytest.approx(list(answer.frame()["time_ns"] * 1e-3))
    pyplot.close("all")


def test_a_comparison_says_by_how_much_in_a_sentence() -> None:
    answer = strata.compare(SMALL, "latency", with_changes={"l2.cache.hit_latency": "25clk"}, **CHASE)
    change = answer.frame().set_index("figure").loc["latency_ns", "change"]
    assert change == pytest.approx(10 / 40)
    assert "from 40.0 ns to 50.0 ns" in str(answer)


def test_two_machines_are_compared() -> None:
    document = strata.compare(SMALL, "latency", other="b580", **CHASE).document
    assert "--other b580" in strata.compare(SMALL, "latency", other="b580", **CHASE).command
    assert [figure["first"] for figure in document["figures"] if figure["figure"] == "latency_ns"] == [pytest.approx(40)]
    assert {"path": "dies.cores_per_die", "first": "1", "second": "20"}.items() <= next(
        row for row in document["differing"] if row["path"] == "dies.cores_per_die").items()


def test_sensitivity_ranks_settings() -> None:
    answer = strata.sensitivity(SMALL, "latency", **CHASE)
    changes = answer.frame()["largest_change"].dropna().abs()
    assert list(changes) == sorted(changes, reverse=True)
    assert "l2.cache.hit_latency" in set(answer.frame()["path"].head(6))


def test_rows_of_validation_pass() -> None:
    answer = strata.validate("b580", id="BM-01")
    assert not answer.frame().empty
    assert answer.failures().empty


def test_a_change_can_fail_validation() -> None:
    answer = strata.validate(["b580"], changes={"dies.cores_per_die": 16}, id=["BM-01", "BM-05"], quick=True)
    assert set(answer.frame()["gpu"]) == {"b580"}
    assert list(answer.failures()["id"]) == ["BM-01"]
    assert answer.failures()["error"].iloc[0] == pytest.approx(16 / 20 - 1)


def test_each_answer_has_a_picture() -> None:
    swept = strata.sweep(SMALL, "latency", {"l2.cache.hit_latency": ["15clk", "25clk"], "l1.cache.ways": [1, 2]}, **CHASE)
    curve = strata.latency(SMALL, from_="512B", to="1KiB", points_per_octave=1)
    axes = [curve.plot(measured=curve.frame()), swept.plot(), strata.run(SMALL, "vecadd,n=1024").plot(),
            strata.compare(SMALL, "latency", with_changes={"l1.cache.hit_latency": "15clk"}, **CHASE).plot(),
            strata.sensitivity(SMALL, "latency", **CHASE).plot(top=3), strata.validate("b580", id="BM-0").plot()]
    assert axes[0].get_xscale() == "log"
    assert [line.get_label() for line in axes[0].get_lines()] == ["lesson-small", "measured"]
    assert axes[1].get_images()[0].get_array().shape == (2, 2)
    assert len(axes[4].patches) == 6  # a bar down and one up for each of three
    pyplot.close("all")


def test_a_second_curve_differs_in_marker_and_line() -> None:
    curve = strata.latency(SMALL, from_="512B", to="1KiB", points_per_octave=1)
    axes = curve.plot(label="one")
    one, two = curve.plot(axes, label="two").get_lines()
    assert (one.get_marker(), one.get_linestyle()) != (two.get_marker(), two.get_linestyle())
    pyplot.close("all")


def test_three_parameters_have_no_picture() -> None:
    answer = strata.sweep(SMALL, "latency", {"l1.cache.ways": [1], "l2.cache.ways": [2], "l1.cache.replacement": ["lru"]}, **CHASE)
    with pytest.raises(ValueError, match="one or two parameters, not 3"):
        answer.plot()
