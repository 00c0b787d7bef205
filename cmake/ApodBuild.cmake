# How every folder is built. One target a folder: apod_library(<folder> DEPENDS <folders and packages>) makes apod_<folder> of the folder's
# sources and, with tests on, <folder>_test of its *_test.cpp. PRECOMPILE names heavy headers that most of its files need. Sources are found by name: a new file needs no change here.

if(APOD_USE_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  find_program(APOD_CCACHE ccache)
  if(APOD_CCACHE)
    set(CMAKE_CXX_COMPILER_LAUNCHER ${APOD_CCACHE})
  endif()
endif()

# Most of a file's compilation is reading the standard library's headers. Where no cache remembers earlier results they are read once, for
# all libraries and for all tests (the files themselves still include what they use: the other presets and tests/house hold them to it).
if(CMAKE_CXX_COMPILER_LAUNCHER)
  option(APOD_PRECOMPILED_HEADERS "Precompile the standard library's headers" OFF)
else()
  option(APOD_PRECOMPILED_HEADERS "Precompile the standard library's headers" ON)
endif()
set(APOD_COMMON_HEADERS <fmt/format.h> <algorithm> <array> <cstdint> <functional> <map> <memory> <optional> <span> <sstream> <string>
                        <unordered_map> <variant> <vector>)

include(ApodNvcc)
find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
if(APOD_BUILD_TESTS)
  enable_testing()
  find_package(GTest REQUIRED)
  include(GoogleTest)
endif()
if(APOD_BUILD_BENCH)
  find_package(benchmark REQUIRED)
endif()

add_library(apod_options INTERFACE)
target_include_directories(apod_options INTERFACE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/include)
# Results must not depend on the optimiser: no contraction of a*b+c that the program did not ask for.
# SSE 4.2 and popcnt (2009 and later) everywhere; the lane handlers choose wider vectors at run time.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  target_compile_options(apod_options INTERFACE -msse4.2 -mpopcnt)
endif()
target_compile_options(apod_options INTERFACE -Wall -Wextra -Wshadow -Wno-missing-field-initializers -ffp-contract=off)
if(APOD_WERROR)
  target_compile_options(apod_options INTERFACE -Werror)
endif()
# A target with the property APOD_UNSANITIZED stays without: a -fno-sanitize of its own would come before these options and have no effect.
if(APOD_SANITIZE)
  set(sanitized $<NOT:$<BOOL:$<TARGET_PROPERTY:APOD_UNSANITIZED>>>)
  target_compile_options(apod_options INTERFACE
    $<${sanitized}:-fsanitize=${APOD_SANITIZE}> $<${sanitized}:-fno-omit-frame-pointer> $<${sanitized}:-fno-sanitize-recover=all>)
  target_link_options(apod_options INTERFACE $<${sanitized}:-fsanitize=${APOD_SANITIZE}>)
endif()
if(APOD_BUILD_FUZZ) # what the fuzzer is to see the coverage of
  set(coverage $<IF:$<CXX_COMPILER_ID:Clang>,-fsanitize=fuzzer-no-link,-fsanitize-coverage=trace-pc>)
  target_compile_options(apod_options INTERFACE $<$<NOT:$<BOOL:$<TARGET_PROPERTY:APOD_UNSANITIZED>>>:${coverage}>)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang") # programs that are no fuzzers have the call in them, too
    file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/no_coverage.cpp CONTENT "extern \"C\" void __sanitizer_cov_trace_pc();\nextern \"C\" void __sanitizer_cov_trace_pc() {}\n")
    add_library(apod_no_coverage STATIC ${CMAKE_BINARY_DIR}/no_coverage.cpp)
    target_link_libraries(apod_options INTERFACE apod_no_coverage)
  endif()
endif()

# Time-outs of tests are for builds without; the thread sanitizer takes up to twenty times as long.
set(APOD_TIME_FACTOR 1)
if(APOD_SANITIZE)
  set(APOD_TIME_FACTOR 5)
endif()

# GCC's run-time library of a sanitizer must be the first in a process; a program that `apod run` starts does not bring it along itself.
set(APOD_SANITIZER_RUNTIME "")
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND APOD_SANITIZE MATCHES "address|thread")
  string(REGEX REPLACE ".*(address|thread).*" "\\1" sanitizer "${APOD_SANITIZE}")
  set(runtime_of_address libasan.so)
  set(runtime_of_thread libtsan.so)
  execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-file-name=${runtime_of_${sanitizer}} OUTPUT_VARIABLE APOD_SANITIZER_RUNTIME
                  OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  file(REAL_PATH ${APOD_SANITIZER_RUNTIME} APOD_SANITIZER_RUNTIME)
endif()

if(APOD_PRECOMPILED_HEADERS)
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/precompiled.cpp CONTENT "int main() { return 0; }\n") # a target needs a source
  add_library(apod_precompiled OBJECT ${CMAKE_BINARY_DIR}/precompiled.cpp)
  target_link_libraries(apod_precompiled PRIVATE apod_options fmt::fmt)
  target_precompile_headers(apod_precompiled PRIVATE ${APOD_COMMON_HEADERS})
  if(APOD_BUILD_TESTS)
    add_executable(apod_precompiled_tests ${CMAKE_BINARY_DIR}/precompiled.cpp)
    target_link_libraries(apod_precompiled_tests PRIVATE apod_options fmt::fmt GTest::gtest)
    target_compile_options(apod_precompiled_tests PRIVATE -O1)
    target_precompile_headers(apod_precompiled_tests PRIVATE <gtest/gtest.h> ${APOD_COMMON_HEADERS})
  endif()
endif()

# For targets whose compile options are apod_options' alone; further headers: those and the common ones, for this target.
function(apod_use_precompiled target)
  if(APOD_PRECOMPILED_HEADERS AND ARGN)
    target_precompile_headers(${target} PRIVATE ${APOD_COMMON_HEADERS} ${ARGN})
  elseif(APOD_PRECOMPILED_HEADERS)
    target_precompile_headers(${target} REUSE_FROM apod_precompiled)
  endif()
endfunction()

function(apod_library name)
  cmake_parse_arguments(ARG "" "" "DEPENDS;EXCLUDE;PRECOMPILE" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  set(tests ${sources})
  list(FILTER tests INCLUDE REGEX "_test\\.cpp$")
  list(FILTER sources EXCLUDE REGEX "_test\\.cpp$")
  foreach(pattern IN LISTS ARG_EXCLUDE)
    list(FILTER sources EXCLUDE REGEX "${pattern}")
    list(FILTER tests EXCLUDE REGEX "${pattern}")
  endforeach()
  if(sources)
    add_library(apod_${name} STATIC ${sources})
    target_link_libraries(apod_${name} PUBLIC apod_options ${ARG_DEPENDS})
    apod_use_precompiled(apod_${name} ${ARG_PRECOMPILE})
  else()
    add_library(apod_${name} INTERFACE)
    target_link_libraries(apod_${name} INTERFACE apod_options ${ARG_DEPENDS})
  endif()
  if(tests AND APOD_BUILD_TESTS)
    apod_test(${name}_test SOURCES ${tests} DEPENDS apod_${name})
  endif()
endfunction()

# A GoogleTest program; LABELS unit (the default), golden, slow, gpu. Each of its tests is a ctest entry of its own, so that the closing count
# counts tests, a crash costs one test and a skipped test (no GPU) shows as skipped. TIMEOUT is in seconds, for each test.
function(apod_test name)
  cmake_parse_arguments(ARG "" "TIMEOUT" "SOURCES;DEPENDS;LABELS" ${ARGN})
  if(NOT APOD_BUILD_TESTS)
    return()
  endif()
  if(NOT ARG_LABELS)
    set(ARG_LABELS unit)
  endif()
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 300)
  endif()
  math(EXPR ARG_TIMEOUT "${ARG_TIMEOUT} * ${APOD_TIME_FACTOR}")
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE apod_options ${ARG_DEPENDS} GTest::gtest_main)
  target_compile_options(${name} PRIVATE -O1) # what is tested keeps its own level; the tests themselves need to compile quickly
  target_compile_definitions(${name} PRIVATE APOD_SOURCE_DIR="${PROJECT_SOURCE_DIR}" APOD_BINARY_DIR="${PROJECT_BINARY_DIR}")
  if(APOD_PRECOMPILED_HEADERS)
    target_precompile_headers(${name} REUSE_FROM apod_precompiled_tests)
  endif()
  gtest_discover_tests(
    ${name}
    PROPERTIES LABELS "${ARG_LABELS}" TIMEOUT ${ARG_TIMEOUT} ENVIRONMENT "APOD_NVCC=${APOD_NVCC_EXECUTABLE}"
               ENVIRONMENT_MODIFICATION "APOD_PTXAS=set:" # a list would lose its second element on the way to ctest
    DISCOVERY_TIMEOUT 60
    DISCOVERY_MODE PRE_TEST)
endfunction()

# A Google Benchmark program; `make bench` runs all of build/release/benchmarks.
function(apod_bench name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPENDS" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE apod_options ${ARG_DEPENDS} benchmark::benchmark_main)
  target_compile_definitions(${name} PRIVATE APOD_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/benchmarks)
endfunction()

# A fuzz target: SOURCES define LLVMFuzzerTestOneInput. With APOD_BUILD_FUZZ it becomes the program <name>, which is libFuzzer's with clang and
# fuzz/driver.cpp's with GCC; with tests on, <name>_replay runs every file of fuzz/corpus/<name> through it once, which needs no clang.
function(apod_fuzz name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPENDS" ${ARGN})
  if(APOD_BUILD_FUZZ)
    add_executable(${name} ${ARG_SOURCES})
    target_link_libraries(${name} PRIVATE apod_options ${ARG_DEPENDS})
    if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
      target_link_options(${name} PRIVATE -fsanitize=fuzzer)
    else()
      target_link_libraries(${name} PRIVATE apod_fuzz_driver)
    endif()
    set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/fuzzers)
  endif()
  if(APOD_BUILD_TESTS)
    add_executable(${name}_replay ${ARG_SOURCES} ${PROJECT_SOURCE_DIR}/fuzz/replay.cpp)
    target_link_libraries(${name}_replay PRIVATE apod_options ${ARG_DEPENDS})
    add_test(NAME fuzz.${name}.corpus COMMAND ${name}_replay ${PROJECT_SOURCE_DIR}/fuzz/corpus/${name})
    set_tests_properties(fuzz.${name}.corpus PROPERTIES LABELS unit TIMEOUT 300)
  endif()
endfunction()
