# `./run package`: one Debian package of all programs, for the hosts that the playbooks deploy to.
# What its programs link to, dpkg-shlibdeps finds out.
install(TARGETS ${programs} RUNTIME DESTINATION lib/tracebed)
# A program finds the others beside itself, through the link.
install(CODE "
  file(MAKE_DIRECTORY \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/bin\")
  file(CREATE_LINK ../lib/tracebed/tracebed
    \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/bin/tracebed\" SYMBOLIC)")
install(FILES agents/agent/tracebed-agent.service agents/launcher/tracebed-launcher.service
  coordinator/api/tracebed-coordinator.service DESTINATION lib/systemd/system)
install(FILES ansible/package/sysusers.conf DESTINATION lib/sysusers.d RENAME tracebed.conf)
install(DIRECTORY experiments/ DESTINATION share/tracebed/experiments)
install(FILES README.md CHANGELOG.md CONTRIBUTING.md ARCHITECTURE.md SECURITY.md
  DESTINATION share/doc/tracebed)
install(DIRECTORY docs DESTINATION share/doc/tracebed)
install(FILES report/columns.md DESTINATION share/doc/tracebed/report)

# Tests and benchmarks are no part of it, so installing builds none.
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME tracebed)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_CONTACT "Tracebed <root@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY
  "replays production job traces on real machines under the scheduler of your choice")
set(CPACK_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_SET_DESTDIR ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS systemd)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS redis-server)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA ${CMAKE_SOURCE_DIR}/ansible/package/postinst
  ${CMAKE_SOURCE_DIR}/ansible/package/prerm ${CMAKE_SOURCE_DIR}/ansible/package/postrm)
include(CPack)
