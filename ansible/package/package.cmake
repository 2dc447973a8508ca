# `./run package`: one Debian package of all programs, for the hosts that the playbooks deploy to.
# What its programs link to, dpkg-shlibdeps finds out.
set(programs_of_containers tracebed-task tracebed-appmaster)
set(other_programs ${programs})
list(REMOVE_ITEM other_programs ${programs_of_containers})
install(TARGETS ${other_programs} RUNTIME DESTINATION lib/tracebed)
# As tracebed_only_runnable() has it.
install(TARGETS ${programs_of_containers} RUNTIME DESTINATION lib/tracebed
  PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_EXECUTE WORLD_EXECUTE)
# A program finds the others beside itself, through the link.
install(CODE "
  file(MAKE_DIRECTORY \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/bin\")
  file(CREATE_LINK ../lib/tracebed/tracebed
    \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/bin/tracebed\" SYMBOLIC)")
install(PROGRAMS coordinator/sweeps/tracebed-sweep-submit DESTINATION bin)
install(FILES agents/agent/tracebed-agent.service
  agents/datanode_link/tracebed-datanode.service agents/launcher/tracebed-launcher.service
  coordinator/api/tracebed-coordinator.service DESTINATION lib/systemd/system)
install(FILES ansible/package/sysusers.conf DESTINATION lib/sysusers.d RENAME tracebed.conf)
install(DIRECTORY experiments/ DESTINATION share/tracebed/experiments)
install(FILES README.md CHANGELOG.md CONTRIBUTING.md ARCHITECTURE.md SECURITY.md
  DESTINATION share/doc/tracebed)
install(DIRECTORY docs DESTINATION share/doc/tracebed)
install(FILES report/columns.md DESTINATION share/doc/tracebed/report)

# Manual pages and completions are made of the programs' own commands and flags. SOURCE_DATE_EPOCH
# sets the date of the pages, for packages that are to be equal byte by byte.
add_executable(write_manual ansible/package/write_manual.cpp agents/agent/flags.cpp
  agents/appmaster/flags.cpp agents/datanode_link/flags.cpp agents/launcher/flags.cpp
  agents/shuffle_link/flags.cpp)
target_link_libraries(write_manual PRIVATE tracebed_agents_agent tracebed_agents_appmaster
  tracebed_agents_datanode_link tracebed_agents_launcher tracebed_cli tracebed_api tracebed_options)
target_compile_definitions(write_manual PRIVATE TRACEBED_VERSION="${PROJECT_VERSION}")
# Runs once, for a moment.
target_compile_options(write_manual PRIVATE $<$<CONFIG:Release>:-O0> $<$<CONFIG:Release>:-g0>)
set(TRACEBED_MANUAL ${CMAKE_BINARY_DIR}/manual)
string(TIMESTAMP TRACEBED_DATE "%Y-%m-%d" UTC)
add_custom_command(OUTPUT ${TRACEBED_MANUAL}/written
  COMMAND ${CMAKE_COMMAND} -E rm -rf ${TRACEBED_MANUAL}
  COMMAND write_manual ${TRACEBED_MANUAL}/man ${TRACEBED_DATE}
  COMMAND sh -c "gzip -9n ${TRACEBED_MANUAL}/man/man*/*"
  COMMAND ${CMAKE_COMMAND} -E make_directory ${TRACEBED_MANUAL}/bash ${TRACEBED_MANUAL}/zsh
  COMMAND sh -c "$<TARGET_FILE:tracebed> completion bash >${TRACEBED_MANUAL}/bash/tracebed"
  COMMAND sh -c "$<TARGET_FILE:tracebed> completion zsh >${TRACEBED_MANUAL}/zsh/_tracebed"
  COMMAND ${CMAKE_COMMAND} -E touch ${TRACEBED_MANUAL}/written
  DEPENDS write_manual tracebed VERBATIM)
add_custom_target(manual DEPENDS ${TRACEBED_MANUAL}/written)
install(DIRECTORY ${TRACEBED_MANUAL}/man DESTINATION share)
install(FILES ${TRACEBED_MANUAL}/bash/tracebed DESTINATION share/bash-completion/completions)
install(FILES ${TRACEBED_MANUAL}/zsh/_tracebed DESTINATION share/zsh/vendor-completions)

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
