# SPDX-License-Identifier: Apache-2.0
"""Traces of waves of 64 lanes, as tools/traces/wave64 writes them."""

import subprocess
from pathlib import Path
from typing import Any

import pytest

import strata

SCRIPT = Path(__file__).parents[3] / "tools" / "traces" / "wave64"
ELEMENTS = 65536


def trace(folder: Path, *words: str) -> str:
    path = folder / "trace.txt"
    path.write_text(subprocess.run([str(SCRIPT), *words], check=True, stdout=subprocess.PIPE, text=True).stdout)
    return str(path)


def run(path: str) -> dict[str, Any]:
    answer = strata.run("mi300x", trace=path)
    kernel: dict[str, Any] = answer.document["kernels"][0]
    return kernel


@pytest.mark.parametrize(("kernel", "waves", "accesses", "others"), [
    # Of a wave: two scalar loads and their wait, seven instructions to an address, the arithmetic and exit.
    ("copy", ELEMENTS // 64, 2 + 2, 1 + 7 + 1 + 1),
    ("triad", ELEMENTS // 64, 2 + 3, 1 + 7 + 1 + 1 + 1),
    ("streamed", ELEMENTS // (64 * 4 * 8), 2 + 8 + 1, 1 + 7 + 2 * 8 + 1),
])
def test_a_kernel_issues_what_its_waves_execute(tmp_path: Path, kernel: str, waves: int, accesses: int,
                                                others: int) -> None:
    ran = run(trace(tmp_path, kernel, "--elements", str(ELEMENTS)))
    assert ran["warp_instructions"] == waves * (accesses + others)
    assert ran["blocks"] == waves // 4


def test_a_sum_in_lds_moves_a_float_of_each_lane_from_memory(tmp_path: Path) -> None:
    ran = run(trace(tmp_path, "reduce", "--elements", str(ELEMENTS)))
    levels = {level["name"]: level for level in ran["levels"]}
    # Beside the array: a float of each workgroup, and its arguments.
    assert ELEMENTS * 4 <= levels["DRAM"]["bytes_read"] <= ELEMENTS * 4 + 64 * 1024
    assert any(pipe["pipe"] == "LDS port" and pipe["busy_fraction"] > 0 for pipe in ran["pipes"])


def test_loads_of_one_wave_overlap(tmp_path: Path) -> None:
    def time_ns(depth: int) -> float:
        return float(run(trace(tmp_path, "streamed", "--threads", "64", "--depth", str(depth), "--elements",
                               str(256 * depth)))["time_ns"])
    # Seven loads more, each of some 400 ns, and each waited for by a counter of its own.
    assert time_ns(1) < time_ns(8) < time_ns(1) + 400


def test_what_does_not_divide_is_refused() -> None:
    refused = subprocess.run([str(SCRIPT), "triad", "--elements", "100"], stderr=subprocess.PIPE, text=True)
    assert refused.returncode == 2
    assert "--elements is a multiple of 256, what a workgroup takes" in refused.stderr
