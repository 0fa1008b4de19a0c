# How tests are made.  For tests/CMakeLists.txt and every tests/*/suite.cmake:
#
#   smelt_add_cases(SUITE FILE.c)     a cmocka program; its cases become SUITE.FILE.CASE, those of studies
#                                     in folders of their own
#   smelt_add_script(SUITE FILE.sh)   a shell script; becomes SUITE.FILE
#   smelt_add_test(NAME COMMAND..)    any command; no test can be skipped
#   smelt_add_fuzzer(FILE.c)          a libFuzzer program, in the preset `fuzz` only
#
# Commands run in an empty folder of their own with SMELT (the command) and SRC (the source tree) in the
# environment.
#
# With sanitizers all names begin with "asan.": where CTest runs several builds at once (./run
# test), it takes tests of the same name for one, and the last build's settings for all.

if(SMELT_SANITIZE)
    set(smelt_test_prefix asan.)
else()
    set(smelt_test_prefix "")
endif()

set(smelt_test_env
    "SMELT=${PROJECT_BINARY_DIR}/smelt"
    "SRC=${PROJECT_SOURCE_DIR}"
    "UBSAN_OPTIONS=print_stacktrace=1")

function(smelt_add_test name)
    set(folder ${CMAKE_CURRENT_BINARY_DIR}/run/${name})
    file(MAKE_DIRECTORY ${folder})
    add_test(NAME ${smelt_test_prefix}${name} COMMAND ${ARGN} WORKING_DIRECTORY ${folder})
    set_tests_properties(${smelt_test_prefix}${name} PROPERTIES
        ENVIRONMENT "${smelt_test_env}" TIMEOUT 300)
endfunction()

# The names of the cases are known once the program is built: each build writes <name>.cmake, and
# CTest reads it before running.  A program that is not built counts as one failing test.
function(smelt_add_cases suite source)
    get_filename_component(file ${source} NAME_WE)
    set(name ${suite}.${file})
    set(cases ${CMAKE_CURRENT_BINARY_DIR}/${name}.cases.cmake)
    add_executable(${name} ${source})
    target_compile_options(${name} PRIVATE ${flags_${name}})
    file(STRINGS ${source} studies REGEX "^#include \"(workload|runs|store|cluster|figure|study|page)/")
    set(library smelt_core)
    set(folders "")
    if(studies)
        set(library smelt_study)
        set(folders ${CMAKE_CURRENT_BINARY_DIR}/run/${name})
    endif()
    target_link_libraries(${name} PRIVATE ${library} PkgConfig::cmocka m)
    add_custom_command(TARGET ${name} POST_BUILD VERBATIM BYPRODUCTS ${cases}
        COMMAND ${CMAKE_COMMAND} -D PROGRAM=$<TARGET_FILE:${name}> -D NAME=${smelt_test_prefix}${name}
                -D OUT=${cases} -D FOLDERS=${folders}
                -P ${PROJECT_SOURCE_DIR}/cmake/discover.cmake)
    set(include_file ${CMAKE_CURRENT_BINARY_DIR}/${name}.include.cmake)
    file(CONFIGURE OUTPUT ${include_file} @ONLY CONTENT [[
if(EXISTS "@cases@")
    include("@cases@")
else()
    add_test("@smelt_test_prefix@@name@" "not built: @name@")
endif()
]])
    set_property(DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} APPEND
        PROPERTY TEST_INCLUDE_FILES ${include_file})
endfunction()

function(smelt_add_script suite script)
    get_filename_component(file ${script} NAME_WE)
    smelt_add_test(${suite}.${file} bash ${script})
endfunction()

function(smelt_add_fuzzer source)
    get_filename_component(name ${source} NAME_WE)
    add_executable(${name} ${source})
    file(STRINGS ${source} studies REGEX "^#include \"(workload|runs|store|cluster|figure|study|page)/")
    target_link_libraries(${name} PRIVATE $<IF:$<BOOL:${studies}>,smelt_study,smelt_core>)
    target_link_options(${name} PRIVATE -fsanitize=fuzzer)
endfunction()
