# Packages, each named as the Debian package that brings it.
set(CMAKE_WARN_DEPRECATED OFF CACHE BOOL "" FORCE)
macro(strata_package name apt)
  find_package(${name} ${ARGN} QUIET)
  if(NOT ${name}_FOUND)
    message(FATAL_ERROR "${name} was not found. On Debian or Ubuntu: apt install ${apt}")
  endif()
endmacro()
strata_package(Boost "libboost1.81-dev libboost-json1.81-dev libboost-program-options1.81-dev libboost-iostreams1.81-dev libzstd-dev" 1.74 COMPONENTS program_options json iostreams)
strata_package(fmt libfmt-dev)
strata_package(yaml-cpp libyaml-cpp-dev)
strata_package(TBB libtbb-dev)
# Optional, and for speed alone: see tools/host/large_pages.cpp. On Debian or Ubuntu: libmimalloc-dev.
# -DCMAKE_DISABLE_FIND_PACKAGE_mimalloc=ON builds without it.
find_package(mimalloc 2 QUIET)
if(STRATA_BUILD_TESTS)
  strata_package(Catch2 catch2)
endif()
