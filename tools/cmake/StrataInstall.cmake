# cmake --install puts the program into bin and what it reads into share/strata, where it looks
# for it; manual pages, shell completion, libraries and headers go where Debian expects them.
# The pages lie in share/strata beside what they link to, as in the repository.
# cpack makes a Debian package of the same.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
install(TARGETS strata RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY configs traces docs validation DESTINATION ${CMAKE_INSTALL_DATADIR}/strata
  PATTERN mutation EXCLUDE)
install(FILES README.md LICENSE CITATION.cff CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DATADIR}/strata)
install(DIRECTORY tests/embedding DESTINATION ${CMAKE_INSTALL_DATADIR}/strata/tests)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

# The program writes its manual pages and completions from the descriptions of its options.
set(pages ${CMAKE_BINARY_DIR}/pages)
set(written)
function(write_page file)
  add_custom_command(OUTPUT ${pages}/${file} DEPENDS strata VERBATIM
    COMMAND ${CMAKE_COMMAND} -E make_directory ${pages}
    COMMAND strata list ${ARGN} > ${pages}/${file})
  set(written ${written} ${pages}/${file} PARENT_SCOPE)
endfunction()
write_page(strata.1 man)
file(STRINGS tools/cli/main.cpp verbs REGEX "^    {\"[a-z]+\", ")
foreach(line IN LISTS verbs)
  string(REGEX REPLACE "^    {\"([a-z]+)\".*" "\\1" verb "${line}")
  write_page(strata-${verb}.1 man --verb ${verb})
endforeach()
set(manual_pages ${written})
write_page(strata.bash bash-completion)
write_page(_strata zsh-completion)
add_custom_target(strata_pages ALL DEPENDS ${written})
install(FILES ${manual_pages} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${pages}/strata.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME strata)
install(FILES ${pages}/_strata DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)

# find_package(Strata): the modules of sim/ as Strata::<module>, and Strata::files, which reads
# configurations from files.
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/Strata)
get_property(modules GLOBAL PROPERTY STRATA_MODULES)
install(TARGETS ${modules} strata_tools EXPORT StrataTargets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/strata)
install(DIRECTORY sim/ tools/files DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/strata FILES_MATCHING PATTERN "*.hpp")
install(EXPORT StrataTargets NAMESPACE Strata:: DESTINATION ${package_folder})
configure_package_config_file(tools/cmake/StrataConfig.cmake.in ${CMAKE_BINARY_DIR}/StrataConfig.cmake
  INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/StrataConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/StrataConfig.cmake ${CMAKE_BINARY_DIR}/StrataConfigVersion.cmake DESTINATION ${package_folder})

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME strata)
set(CPACK_PACKAGE_CONTACT "The Strata authors")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "cycle-level simulator of GPU memory hierarchies")
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_STRIP_FILES ON)
include(CPack)
