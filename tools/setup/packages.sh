#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Shared by ./quickstart and ./run-tests: what Strata needs from the distribution, and how it is
# fetched and built. To be sourced; runs nothing itself.

say() { printf '==> %s\n' "$*"; }
complain() { printf '%s: %s\n' "$(basename "$0")" "$*" >&2; }

# The newest Boost of the distribution that has Boost.JSON: Debian 12 offers 1.81 beside its
# default 1.74, Ubuntu 24.04 and Debian 13 offer 1.83.
boost_version() {
    case "$(. /etc/os-release 2>/dev/null && echo "${VERSION_CODENAME:-}")" in
        bookworm) echo 1.81 ;;
        *) echo 1.83 ;;
    esac
}

# Packages needed to build the program, one per line.
build_packages() {
    local boost
    boost=$(boost_version)
    printf '%s\n' g++ cmake ninja-build \
        "libboost${boost}-dev" "libboost-program-options${boost}-dev" \
        "libboost-json${boost}-dev" "libboost-iostreams${boost}-dev" \
        libyaml-cpp-dev libfmt-dev libtbb-dev libzstd-dev zlib1g-dev
}

# What makes the program faster where it is installed: see tools/host/large_pages.cpp.
faster_packages() { echo libmimalloc-dev; }
test_packages() { echo catch2; }
# For tools/python. python3-munkres stands first so that apt does not take python3-scipy for it, which
# asks for another version of Boost.
python_packages() {
    printf '%s\n' python3-munkres python3-pandas python3-matplotlib python3-pytest mypy python3-nbclient \
        python3-nbformat python3-ipykernel python3-pip python3-setuptools python3-wheel
}
# For tools/bench/instructions.
budget_packages() { printf '%s\n' valgrind python3; }
clang_packages() { printf '%s\n' clang-19 libclang-rt-19-dev; }
# For tests/style.
style_packages() { printf '%s\n' clang-format-19 clang-tidy-19 python3 universal-ctags; }
# For tools/playground. An existing Node (18 or later) is sufficient.
playground_packages() {
    printf '%s\n' clang-19 lld-19 wasi-libc libc++-19-dev-wasm32 libc++abi-19-dev-wasm32 \
        libclang-rt-19-dev-wasm32 chromium
    command -v node >/dev/null || echo nodejs
}
# For tests/browser.
browser_packages() {
    echo chromium
    command -v npm >/dev/null || echo npm
}

# missing_of PACKAGE...: those of the packages that are not installed, one per line.
missing_of() {
    local package
    for package in "$@"; do
        [ "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null)" = installed ] ||
            echo "$package"
    done
}

# The words that run apt-get as root, one per line; nothing when already root.
# Fails when there is no way to become root here.
root_prefix() {
    [ "$(id -u)" -eq 0 ] && return 0
    command -v sudo >/dev/null || return 1
    # Without a terminal sudo cannot ask for a password.
    if [ -t 0 ] || sudo -n true 2>/dev/null; then echo sudo; else return 1; fi
}

has_apt() { command -v dpkg-query >/dev/null && command -v apt-get >/dev/null; }
apt_install=(env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends --no-remove)

# install_packages PACKAGE...: installs what is missing. Status 1 when that could not be done,
# with the one line to run printed. Never removes a package that is already there.
install_packages() {
    if ! has_apt; then
        say "not a Debian or Ubuntu system: trusting that these are installed: $*"
        return 0
    fi
    local missing prefix
    mapfile -t missing < <(missing_of "$@")
    [ "${#missing[@]}" -eq 0 ] && return 0
    local by_hand="apt-get update && apt-get install -y ${missing[*]}"
    if ! prefix=$(root_prefix); then
        complain "packages are missing and this user cannot install them. Run as root:"
        printf '%s\n' "$by_hand" >&2
        return 1
    fi
    say "installing ${missing[*]}"
    # $prefix is empty or the single word sudo.
    if ! { $prefix apt-get update -q && $prefix "${apt_install[@]}" "${missing[@]}"; } >&2; then
        complain "the distribution's packages could not be installed. To look into it, run as root:"
        printf '%s\n' "$by_hand" >&2
        return 1
    fi
}

# install_if_possible PACKAGE...: the same for what is not needed, without a new list of packages and without asking for
# a password.
install_if_possible() {
    local missing prefix
    has_apt || return 0
    mapfile -t missing < <(missing_of "$@")
    [ "${#missing[@]}" -eq 0 ] && return 0
    [ "$(id -u)" -eq 0 ] && prefix= || prefix="sudo -n"
    $prefix "${apt_install[@]}" -o Acquire::Retries=0 -o Acquire::http::Timeout=10 "${missing[@]}" >/dev/null 2>&1 ||
        say "not installed, and not needed: ${missing[*]}"
}

# Compiled objects are shared between clean builds where ccache is installed.
use_ccache() {
    command -v ccache >/dev/null || return 0
    # Precompiled headers are known to ccache by their contents only with this option.
    export CMAKE_CXX_COMPILER_LAUNCHER=ccache CCACHE_SLOPPINESS=pch_defines,time_macros
}

# configure_preset PRESET [cmake options...]: silent unless it fails.
configure_preset() {
    local output
    output=$(cmake --preset "$@" 2>&1) || {
        printf '%s\n' "$output" >&2
        return 1
    }
}

# build_preset PRESET TARGET...: builds these targets, or `all`, of a configured preset.
build_preset() {
    local preset=$1
    shift
    cmake --build --preset "$preset" --target "$@" --parallel "$(nproc)"
}
