# cmake --install puts the program into bin and what it reads into share/strata, where it looks
# for it; cpack makes a Debian package of the same.
include(GNUInstallDirs)
install(TARGETS strata RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY configs traces DESTINATION ${CMAKE_INSTALL_DATADIR}/strata)
install(DIRECTORY validation/expectations DESTINATION ${CMAKE_INSTALL_DATADIR}/strata/validation)
install(FILES README.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME strata)
set(CPACK_PACKAGE_CONTACT "The Strata authors")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "cycle-level simulator of GPU memory hierarchies")
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_STRIP_FILES ON)
include(CPack)
