# SPDX-License-Identifier: Apache-2.0
# Toolchain: Debian's clang 19 for wasm32-wasi. One module is linked and no archive, so that CMake's
# trials, which need llvm-ar, are left out.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(CMAKE_CXX_COMPILER clang++-19)
set(CMAKE_CXX_COMPILER_TARGET wasm32-wasi)
set(CMAKE_CXX_COMPILER_WORKS TRUE)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
