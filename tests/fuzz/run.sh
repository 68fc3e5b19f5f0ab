#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs every fuzzer for some seconds each: tests/fuzz/run.sh BUILD-FOLDER SECONDS
# Memory is bounded to 512 MiB, an input to 10 s. What ends a run is kept in BUILD-FOLDER/fuzz.
set -uo pipefail
build=$(cd "$1" && pwd) || exit 2
seconds=$2
status=0
# Freed memory that is kept to find its use is no memory of the reader.
export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}quarantine_size_mb=16
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
for name in text accel_sim nvbit csv native record; do
    corpus=$build/fuzz/$name
    mkdir -p "$corpus"
    case $name in
        text) printf 'strata-trace 1\nkernel "k" grid 2 1 1 block 64 1 1\nblock 0\nwarp 0\n  load global ca 4 d1:2 s2 mask=0x7 dependent @0x0,0x8,0x4\n  barrier number=1 warps=2 arrive\n  fp32 d3 s1 flops=2 repeat=3 cycle=9\nend\n' > "$corpus/seed" ;;
        accel_sim) cp "$source/traces/accel-sim/kernel-1.traceg" "$corpus/seed" ;;
        nvbit) printf 'MEMTRACE: CTX 0x1 - LAUNCH - Kernel pc 0x2 - Kernel name k - grid launch id 0 - grid size 2,1,1 - block size 64,1,1 - nregs 9 - shmem 0 - cuda stream id 0\nMEMTRACE: CTX 0x1 - grid_launch_id 0 - CTA 1,0,0 - warp 3 - LDG.E.64 - %s\n' "$(printf '0x10 %.0s' {1..32})" > "$corpus/seed" ;;
        csv) cp "$source/traces/reduce.csv" "$corpus/seed" ;;
        *) printf '\1\1\1\2\0\0\4\1\0\0\1\1\4' > "$corpus/seed" ;;
    esac
    if ! (cd "$corpus" && "$build/fuzz_$name" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=512 \
        -max_len=4096 -print_final_stats=1 . >"$build/fuzz/$name.log" 2>&1); then
        echo "fuzz_$name FAILED; see $build/fuzz/$name.log"
        tail -n 30 "$build/fuzz/$name.log"
        status=1
    else
        echo "fuzz_$name: $(grep -o 'number_of_executed_units: *[0-9]*' "$build/fuzz/$name.log" | grep -o '[0-9]*') inputs, none fatal"
    fi
done
exit $status
