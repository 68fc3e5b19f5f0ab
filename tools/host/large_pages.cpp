// SPDX-License-Identifier: Apache-2.0
// The program's allocator (mimalloc) asks the system for large pages, 2 MiB on x86. The state of a simulated GPU is tens
// of megabytes that are touched at random, so with pages of 4 KiB the host spends time on translating its own addresses
// and on faults on first touch. The option must be set before the first allocation, which is made before any
// constructor of the program; MIMALLOC_LARGE_OS_PAGES=0 in the environment overrides it. Tables of 1 MiB and more are
// mapped by ZeroedMemory in small pages, since little of them is touched.
#include <mimalloc.h>

namespace {

void ask(int /*argc*/, char** /*argv*/, char** /*environment*/) { mi_option_set_default(mi_option_large_os_pages, 1); }

[[gnu::section(".preinit_array"), gnu::used]] void (*const before_all_else)(int, char**, char**) = ask;

}  // namespace
