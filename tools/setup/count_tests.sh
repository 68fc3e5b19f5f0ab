#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# To be sourced; defines functions that read what ctest leaves in its folder Testing/Temporary, and what Node prints.

# count_tests LOG: reads ctest's LastTest.log, in which each entry is a run of a Catch2 program, of one of its cases or
# of all, and prints "PASSED FAILED" in Catch2 test cases. An entry that failed without saying how many of its
# cases did (a crash, a timeout, a program that does not start) counts as one failure.
count_tests() {
    [ -f "$1" ] || { echo "0 0"; return; }
    awk '
        # Catch2: "All tests passed (40 assertions in 7 test cases)"
        /^All tests passed \(/ { match($0, /in [0-9]+ test case/); seen_passed += substr($0, RSTART + 3) + 0 }
        # Catch2: "test cases:  7 |  5 passed | 2 failed", also "1 skipped", "1 failed as expected"
        /^test cases: / {
            count = split($0, part, "|")
            for (i = 2; i <= count; i++) {
                if (part[i] ~ /passed|as expected/) seen_passed += part[i] + 0
                else if (part[i] ~ /failed/) seen_failed += part[i] + 0
            }
        }
        # ctest calls an entry passed in this file whose program it did not find.
        /^Command: ""$/ { not_found = 1 }
        /^Test Passed\.$/ { close_entry(not_found) }
        /^Test Failed\.$/ || /^Test Fail Reason:$/ { close_entry(1) }
        function close_entry(broken) {
            if (broken && !seen_failed) seen_failed = 1
            passed += seen_passed; failed += seen_failed
            seen_passed = seen_failed = not_found = 0
        }
        END { print passed + 0, failed + 0 }
    ' "$1"
}

# failures_of NAME FOLDER: the tests of ctest that failed, MODULE/CASE, one to a line, then what each failed
# assertion printed, 60 lines at most.
failures_of() {
    [ -f "$2/LastTest.log" ] || { echo "$1: ctest did not start"; return; }
    sed "s/^[0-9]*:/$1: /" "$2/LastTestsFailed.log" 2>/dev/null
    grep -B 12 -A 12 -E 'FAILED:|runtime error:|ERROR: [A-Za-z]*Sanitizer|WARNING: ThreadSanitizer' \
        "$2/LastTest.log" | head -n 60
}

# run_node_tests FILE...: runs tests of Node; the last line is "N passed, N failed". 1: some failed, or none ran.
run_node_tests() {
    local output passed failed
    output=$(node --test --test-reporter=tap "$@" 2>&1)
    printf '%s\n' "$output" | grep -vE '^ +(---|\.\.\.|duration_ms|type:)'
    passed=$(sed -n 's/^# pass //p' <<<"$output" | tail -1)
    failed=$(sed -n 's/^# \(fail\|cancelled\) //p' <<<"$output" | awk '{ sum += $1 } END { print sum + 0 }')
    [ -n "$passed" ] || { passed=0 && failed=1; }
    [ $((passed + failed)) -gt 0 ] || failed=1
    echo "$passed passed, $failed failed"
    [ "$failed" -eq 0 ]
}
