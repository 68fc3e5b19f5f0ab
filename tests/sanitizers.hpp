// SPDX-License-Identifier: Apache-2.0
// Which sanitizer a test is built with: g++ says so by a macro, clang by a feature.
#pragma once

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define STRATA_ADDRESS_SANITIZER
#endif
#if __has_feature(thread_sanitizer)
#define STRATA_THREAD_SANITIZER
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define STRATA_ADDRESS_SANITIZER
#endif
#if defined(__SANITIZE_THREAD__)
#define STRATA_THREAD_SANITIZER
#endif
