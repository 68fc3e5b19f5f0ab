// SPDX-License-Identifier: Apache-2.0
// Memory of the program comes in large pages of the host (2 MiB on x86) where the system gives them. The state of a
// simulated GPU is tens of megabytes that are touched at random, so with pages of 4 KiB a large part of the time goes
// into translating the host's own addresses and into faults on first touch. The allocator (mimalloc) asks the system
// for them; it must hear so before its first allocation, which is made before any constructor of the program.
#include <mimalloc.h>

namespace {

void ask(int /*argc*/, char** /*argv*/, char** /*environment*/) { mi_option_set(mi_option_large_os_pages, 1); }

[[gnu::section(".preinit_array"), gnu::used]] void (*const before_all_else)(int, char**, char**) = ask;

}  // namespace
