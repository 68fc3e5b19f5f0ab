# How every target of the project is compiled, said once.
add_library(strata_flags INTERFACE)
target_compile_options(strata_flags INTERFACE
  -Wall -Wextra -Wconversion -Wshadow -Wnon-virtual-dtor -Werror
  -ffp-contract=off)  # the same bits from every compiler
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # GCC 12 warns of overlaps inside std::string that cannot happen (its bug 105651).
  target_compile_options(strata_flags INTERFACE -Wno-restrict)
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

# What runs once, descriptions of settings and writers of reports, is most of a
# build's time at full optimisation and none of a simulation's.
function(compile_quickly)
  foreach(source IN LISTS ARGN)
    set_property(SOURCE ${source} APPEND PROPERTY COMPILE_OPTIONS $<$<CONFIG:Release>:-O1>)
  endforeach()
endfunction()

function(room name)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/sim/${name}/*.cpp)
  set(once ${sources})
  if(NOT name MATCHES "^(config|report)$")
    list(FILTER once INCLUDE REGEX "(spec|specs|schema|expectation|evaluate[a-z_]*|described)\\.cpp$")
  endif()
  compile_quickly(${once})
  if(sources)
    add_library(strata_${name} STATIC ${sources})
    set(scope PUBLIC)
    target_link_libraries(strata_${name} PRIVATE strata_flags)
  else()
    add_library(strata_${name} INTERFACE)
    set(scope INTERFACE)
  endif()
  target_include_directories(strata_${name} ${scope} ${CMAKE_SOURCE_DIR}/sim)
  target_link_libraries(strata_${name} ${scope} fmt::fmt Boost::headers)
  foreach(dependency IN LISTS ARGN)
    target_link_libraries(strata_${name} ${scope} strata_${dependency})
  endforeach()
endfunction()
