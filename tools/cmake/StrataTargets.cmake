# How every target of the project is compiled, said once.
add_library(strata_flags INTERFACE)
target_compile_options(strata_flags INTERFACE
  -Wall -Wextra -Wconversion -Wshadow -Wnon-virtual-dtor -Werror
  -ffp-contract=off)  # the same bits from every compiler
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # GCC 12 warns of overlaps and sizes inside std::string that cannot happen (its bug 105651).
  target_compile_options(strata_flags INTERFACE -Wno-restrict -Wno-array-bounds -Wno-stringop-overflow -Wno-stringop-overread)
elseif(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  # std::stable_sort of GCC 12's library calls std::get_temporary_buffer, which it marks deprecated.
  target_compile_options(strata_flags INTERFACE -Wno-deprecated-declarations)
endif()
set(STRATA_SANITIZE "" CACHE STRING "Sanitizers to build with, for example address,undefined")
if(STRATA_SANITIZE)
  target_compile_options(strata_flags INTERFACE -fsanitize=${STRATA_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(strata_flags INTERFACE -fsanitize=${STRATA_SANITIZE})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # Instrumented code leads GCC's analysis to warn inside the standard library and Boost.
    target_compile_options(strata_flags INTERFACE -Wno-maybe-uninitialized -Wno-uninitialized)
  endif()
endif()

# Headers from outside the project that most sources read are parsed once: a third of a build's time.
option(STRATA_PRECOMPILE "Parse the headers of the libraries once" ON)
function(precompiled_headers name)
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/${name}.cpp CONTENT "// Holds precompiled headers, no code.\n")
  add_library(${name} OBJECT ${CMAKE_BINARY_DIR}/${name}.cpp)
  target_link_libraries(${name} PRIVATE strata_flags fmt::fmt Boost::headers)
  if(STRATA_PRECOMPILE)
    target_precompile_headers(${name} PRIVATE ${ARGN} <fmt/format.h> <boost/intrusive/list.hpp> <boost/intrusive/unordered_set.hpp>
      <algorithm> <array> <bit> <charconv> <cmath> <cstdint> <deque> <functional> <limits> <map> <memory>
      <optional> <set> <span> <stdexcept> <string> <string_view> <utility> <variant> <vector>)
  endif()
endfunction()
precompiled_headers(strata_headers)
precompiled_headers(strata_tool_headers <boost/json.hpp> <boost/program_options.hpp> <filesystem> <fstream> <iostream>)
target_link_libraries(strata_tool_headers PRIVATE Boost::json Boost::program_options)
function(use_precompiled target headers)
  if(STRATA_PRECOMPILE)
    target_precompile_headers(${target} REUSE_FROM ${headers})
  endif()
endfunction()

# The sources of a folder are compiled as one unit, of ten at most: less than half of a build's time. OFF compiles each
# by itself, which is faster after a change of one file.
option(STRATA_UNITY "Compile the sources of a folder as one unit" ON)
# In a unit a local name may be that of a function of another file, and a coroutine's frame has types of its file.
add_library(strata_unity_flags INTERFACE)
target_compile_options(strata_unity_flags INTERFACE -Wno-shadow $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
function(compile_by_folder target)
  if(NOT STRATA_UNITY)
    return()
  endif()
  foreach(source IN LISTS ARGN)
    cmake_path(GET source PARENT_PATH folder)
    cmake_path(RELATIVE_PATH folder BASE_DIRECTORY ${CMAKE_SOURCE_DIR})
    string(MAKE_C_IDENTIFIER "${folder}" group)
    math(EXPR unit "0${members_${group}} / 10")
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${group}_${unit})
    math(EXPR members_${group} "0${members_${group}} + 1")
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:strata_unity_flags>)
endfunction()

# What runs once, descriptions of settings, checks, studies and reports, is most of a build's time at full optimisation
# and none of a simulation's.
function(compile_quickly target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
endfunction()
# What a simulation spends its time in is compiled at full optimisation, and each source by itself: GCC inlines less
# where a unit is large. All other sources of sim/ are compiled quickly, by folder.
set(hot_sources
  "sim/(engine|memory|trace|cache|compute|dram|fabric|translation|machine/blocks)/"
  "sim/kernels/[a-z_]+[.]cpp"
  "sim/machine/(machine|warm_up)[.]cpp")
set(cold_sources "_(spec|specs|collect)[.]cpp" "sim/compute/(cluster|tensor_memory|occupancy|placement)"
  "sim/cache/(compression|spec|statistics)/")

# Those of the sources whose names match one of the patterns.
function(matching found patterns)
  set(others ${ARGN})
  foreach(pattern IN LISTS patterns)
    list(FILTER others EXCLUDE REGEX "${pattern}")
  endforeach()
  set(all ${ARGN})
  list(REMOVE_ITEM all ${others})
  set(${found} ${all} PARENT_SCOPE)
endfunction()

# The include path of a module holds one folder for each module that it may use, with a link to
# that module's sources in it: what it may not use, the compiler does not find.
set(STRATA_INCLUDE_FOLDERS ${CMAKE_BINARY_DIR}/include)

function(module name)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/sim/${name}/*.cpp)
  if(sources)
    add_library(strata_${name} STATIC ${sources})
    set(scope PUBLIC)
    target_link_libraries(strata_${name} PRIVATE $<BUILD_INTERFACE:strata_flags>)
    use_precompiled(strata_${name} strata_headers)
    compile_quickly(strata_${name})
    matching(hot "${hot_sources}" ${sources})
    matching(cold "${cold_sources}" ${hot})
    list(REMOVE_ITEM hot ${cold})
    list(REMOVE_ITEM sources ${hot})
    compile_by_folder(strata_${name} ${sources})
    set_source_files_properties(${hot} PROPERTIES COMPILE_OPTIONS $<$<CONFIG:Release>:-O3> SKIP_UNITY_BUILD_INCLUSION ON)
  else()
    add_library(strata_${name} INTERFACE)
    set(scope INTERFACE)
  endif()
  file(MAKE_DIRECTORY ${STRATA_INCLUDE_FOLDERS}/${name})
  file(CREATE_LINK ${CMAKE_SOURCE_DIR}/sim/${name} ${STRATA_INCLUDE_FOLDERS}/${name}/${name} SYMBOLIC)
  target_include_directories(strata_${name} ${scope} $<BUILD_INTERFACE:${STRATA_INCLUDE_FOLDERS}/${name}>)
  target_compile_features(strata_${name} ${scope} cxx_std_20)
  set_target_properties(strata_${name} PROPERTIES EXPORT_NAME ${name})
  set_property(GLOBAL APPEND PROPERTY STRATA_MODULES strata_${name})
  target_link_libraries(strata_${name} ${scope} fmt::fmt Boost::headers)
  foreach(dependency IN LISTS ARGN)
    target_link_libraries(strata_${name} ${scope} strata_${dependency})
  endforeach()
endfunction()
