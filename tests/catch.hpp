// SPDX-License-Identifier: Apache-2.0
// Catch2 2.13 (Debian 12) and 3 (Ubuntu 24.04) under one name.
#pragma once
#ifdef STRATA_CATCH2_V3
#include <catch2/catch_all.hpp>
using Catch::Approx;
#else
#include <catch2/catch.hpp>
#endif
