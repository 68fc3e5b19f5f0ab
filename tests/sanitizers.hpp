// SPDX-License-Identifier: Apache-2.0
// The sanitizer with which a test is built: g++ defines a macro, clang a feature.
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
