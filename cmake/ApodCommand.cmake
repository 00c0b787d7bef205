# The command is build/apod whatever the preset: each preset builds its own in build/<preset>/apod, and build/apod is a link to the one that
# was built (or configured, once built) last. A build directory elsewhere just has its own apod at its top.
if(NOT TARGET apod)
  return()
endif()
set_target_properties(apod PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})

cmake_path(GET PROJECT_BINARY_DIR PARENT_PATH build_root)
cmake_path(GET PROJECT_BINARY_DIR FILENAME build_name)
if(build_root STREQUAL "${PROJECT_SOURCE_DIR}/build")
  add_custom_command(
    OUTPUT ${PROJECT_BINARY_DIR}/apod.linked
    COMMAND ${CMAKE_COMMAND} -E create_symlink ${build_name}/apod ${build_root}/apod
    COMMAND ${CMAKE_COMMAND} -E touch ${PROJECT_BINARY_DIR}/apod.linked
    DEPENDS apod
    COMMENT "Linking build/apod to build/${build_name}/apod"
    VERBATIM)
  add_custom_target(command ALL DEPENDS ${PROJECT_BINARY_DIR}/apod.linked)
  if(EXISTS ${PROJECT_BINARY_DIR}/apod)
    file(CREATE_LINK ${build_name}/apod ${build_root}/apod SYMBOLIC)
  endif()
else()
  add_custom_target(command ALL DEPENDS apod)
endif()
