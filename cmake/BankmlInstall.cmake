# What `cmake --install` writes: headers, libraries, the CMake package and the pkg-config file. Both package files find themselves,
# so that an installed tree may be moved. Tested by tests/consumers.
include(CMakePackageConfigHelpers)

install(FILES ${PROJECT_SOURCE_DIR}/capi/include/bankml.h ${PROJECT_SOURCE_DIR}/capi/include/bankml.hpp
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/bankml)
if(BANKML_LIBRARIES)
  install(TARGETS ${BANKML_LIBRARIES} EXPORT bankmlTargets
          LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(EXPORT bankmlTargets NAMESPACE bankml:: DESTINATION ${package_dir})
  configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/bankmlConfig.cmake.in ${CMAKE_CURRENT_BINARY_DIR}/bankmlConfig.cmake
    INSTALL_DESTINATION ${package_dir} NO_SET_AND_CHECK_MACRO)
  write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/bankmlConfigVersion.cmake COMPATIBILITY SameMinorVersion)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/bankmlConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/bankmlConfigVersion.cmake
          DESTINATION ${package_dir})
endif()

# pkg-config: paths relative to the .pc file where the folders allow it, absolute ones where they were given as absolute.
if(IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}" OR IS_ABSOLUTE "${CMAKE_INSTALL_INCLUDEDIR}")
  set(pc_prefix "${CMAKE_INSTALL_PREFIX}")
  set(pc_libdir "${CMAKE_INSTALL_FULL_LIBDIR}")
  set(pc_includedir "${CMAKE_INSTALL_FULL_INCLUDEDIR}")
else()
  file(RELATIVE_PATH up "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
  string(REGEX REPLACE "/$" "" up "${up}")
  set(pc_prefix "\${pcfiledir}/${up}")
  set(pc_libdir "\${prefix}/${CMAKE_INSTALL_LIBDIR}")
  set(pc_includedir "\${prefix}/${CMAKE_INSTALL_INCLUDEDIR}")
endif()
set(pc_libs "-L\${libdir} -lbankml")
set(pc_libs_private "-lstdc++ -lm -pthread")
if(NOT BANKML_BUILD_SHARED)  # then -lbankml is the archive, whoever links it
  string(APPEND pc_libs " ${pc_libs_private}")
endif()
configure_file(${PROJECT_SOURCE_DIR}/cmake/bankml.pc.in ${CMAKE_CURRENT_BINARY_DIR}/bankml.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/bankml.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
