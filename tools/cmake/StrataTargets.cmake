# How every target of the project is compiled, said once.
add_library(strata_flags INTERFACE)
target_compile_options(strata_flags INTERFACE
  -Wall -Wextra -Wconversion -Wshadow -Wnon-virtual-dtor -Werror
  -ffp-contract=off)  # the same bits from every compiler
set(STRATA_SANITIZE "" CACHE STRING "Sanitizers to build with, for example address,undefined")
if(STRATA_SANITIZE)
  target_compile_options(strata_flags INTERFACE -fsanitize=${STRATA_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(strata_flags INTERFACE -fsanitize=${STRATA_SANITIZE})
endif()

function(room name)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/sim/${name}/*.cpp)
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
