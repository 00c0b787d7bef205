# Installs apod to a folder of its own, copies the examples out of the tree, builds them against the installation and runs them.
#   cmake -DBUILD=... -DEXAMPLES=... -DWORK=... -DGENERATOR=... -DCXX=... [-DTOOLKIT=...] -P install_test.cmake
set(work ${WORK}/install_test)
file(REMOVE_RECURSE ${work})

# Every step must end with 0; `expected` must be in its output.
function(step expected)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  string(FIND "${output}" "${expected}" found)
  if(NOT result EQUAL 0 OR found EQUAL -1)
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "${command}\nended with ${result}; '${expected}' was expected in:\n${output}")
  endif()
endfunction()

step("" ${CMAKE_COMMAND} --install ${BUILD} --prefix ${work}/apod)
file(COPY ${EXAMPLES} DESTINATION ${work})
# A toolkit is used where the build of apod found one, and not searched for otherwise.
set(toolkit -DCMAKE_DISABLE_FIND_PACKAGE_CUDAToolkit=ON)
if(TOOLKIT)
  set(toolkit -DCUDAToolkit_ROOT=${TOOLKIT})
endif()
step("" ${CMAKE_COMMAND} -S ${work}/examples/project -B ${work}/build -G ${GENERATOR} -DCMAKE_CXX_COMPILER=${CXX} -DCMAKE_BUILD_TYPE=Release
     -DCMAKE_PREFIX_PATH=${work}/apod ${toolkit})
file(STRINGS ${work}/build/CMakeCache.txt package REGEX "^apod_DIR")
if(NOT package MATCHES "${work}/apod/")
  message(FATAL_ERROR "another apod was found: ${package}")
endif()
step("" ${CMAKE_COMMAND} --build ${work}/build)

set(apod ${work}/apod/bin/apod)
step("emu:h200" ${apod} devices)
step("/bin/true: " ${work}/build/time_program /bin/true)
step("100000 x 100000, 299998 entries: y = A x is right" ${work}/build/multiply_matrix)
step("100 x 131 on the CPU: right" ${apod} run -q -- ${work}/build/transpose_matrix 100 131)
if(TOOLKIT)
  step("100 x 131 on the GPU: right" ${apod} run -q -- ${work}/build/transpose_matrix 100 131)
  step("no mistakes found" ${apod} check -q -- ${work}/build/transpose_matrix 100 131)
endif()
file(REMOVE_RECURSE ${work})
