# cmake --install: bin/apod; lib/apod with the emulated CUDA libraries, which the command looks for there; the libraries for programs of one's
# own with their headers, and what find_package(apod) reads.
if(NOT TARGET apod)
  return()
endif()
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

install(TARGETS apod RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})

# Beside ${CMAKE_INSTALL_BINDIR}, whatever the libraries' folder is called here.
set(APOD_RUNTIME_DIR lib/apod)
foreach(target apod_runtime_shared cudart13 cudart12 cuda1 apod_preload)
  if(TARGET ${target})
    install(TARGETS ${target} LIBRARY DESTINATION ${APOD_RUNTIME_DIR})
  endif()
endforeach()
install(FILES ${PROJECT_BINARY_DIR}/runtime/libcudart.so ${PROJECT_BINARY_DIR}/runtime/libcuda.so DESTINATION ${APOD_RUNTIME_DIR})

install(TARGETS apod_measure apod_spmv_shared apod_transpose LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/apod DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN *.hpp)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/workloads/spmv/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/apod/spmv
        FILES_MATCHING PATTERN *.cuh PATTERN testdata EXCLUDE)

set(APOD_COMMAND_PATH ${CMAKE_INSTALL_BINDIR}/apod)
set(APOD_LIBRARY_PATH ${CMAKE_INSTALL_LIBDIR})
set(APOD_INCLUDE_PATH ${CMAKE_INSTALL_INCLUDEDIR})
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/apod)
configure_package_config_file(
  ${CMAKE_CURRENT_LIST_DIR}/apodConfig.cmake.in ${PROJECT_BINARY_DIR}/apodConfig.cmake
  INSTALL_DESTINATION ${package_dir}
  PATH_VARS APOD_COMMAND_PATH APOD_LIBRARY_PATH APOD_INCLUDE_PATH)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/apodConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/apodConfig.cmake ${PROJECT_BINARY_DIR}/apodConfigVersion.cmake DESTINATION ${package_dir})
