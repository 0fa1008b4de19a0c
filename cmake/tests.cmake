# How tests are made.  For tests/CMakeLists.txt and every tests/*/suite.cmake:
#
#   smelt_tier(TIER [SANITIZED])      the tests that follow belong to this tier: short, all or long; to
#                                     another one with sanitizers
#   smelt_add_suite(SUITE FILE.c..)   a cmocka program of these files; each becomes a test SUITE.FILE
#   smelt_add_script(SUITE FILE.sh)   a shell script; becomes SUITE.FILE
#   smelt_add_test(NAME COMMAND..)    any command; no test can be skipped
#   smelt_tier_of_file(FILE)          the tier that the file itself says: "# tier: all"
#   smelt_add_fuzzer(FILE.c)          a libFuzzer program, in the preset `fuzz` only, and a test that runs it for a minute
#   smelt_needs(TARGET..)             these must be built for the tests of this tier
#
# Tests that take long are begun first: set(smelt_cost SECONDS), reset by tests/CMakeLists.txt for each suite.
#
# Commands run in an empty folder of their own with SMELT (the command) and SRC (the source tree) in the
# environment.
#
# A tier is a label of CTest, and a target that builds what its tests need: tests_short, tests_all,
# tests_long.  Each is there in the longer ones too: `ctest -L '^(short|all)$'`.
#
# With sanitizers all names begin with "asan.": where CTest runs several builds at once (./run
# test), it takes tests of the same name for one, and the last build's settings for all.

set(smelt_test_prefix "")
set(smelt_test_seconds 20) # of processor time, for a case of a cmocka program
if(SMELT_SANITIZE)
    set(smelt_test_prefix asan.)
    set(smelt_test_seconds 120)
endif()

set(smelt_test_alone rt) # each case in a process of its own

set(smelt_test_env
    "SMELT=${PROJECT_BINARY_DIR}/smelt"
    "SRC=${PROJECT_SOURCE_DIR}"
    "UBSAN_OPTIONS=print_stacktrace=1")

foreach(tier short all long)
    add_custom_target(tests_${tier})
endforeach()
add_dependencies(tests_all tests_short)
add_dependencies(tests_long tests_all)
if(TARGET cudart)
    add_dependencies(tests_short smelt cudart math)
endif()

macro(smelt_tier tier)
    set(smelt_tier ${tier})
    if(SMELT_SANITIZE AND ${ARGC} GREATER 1)
        set(smelt_tier ${ARGV1})
    endif()
endmacro()

function(smelt_needs)
    add_dependencies(tests_${smelt_tier} ${ARGN})
endfunction()

function(smelt_add_test name)
    if(NOT TARGET tests_${smelt_tier})
        message(FATAL_ERROR "test ${name} is in no tier: smelt_tier(..) before it")
    endif()
    set(folder ${CMAKE_CURRENT_BINARY_DIR}/run/${name})
    file(MAKE_DIRECTORY ${folder})
    add_test(NAME ${smelt_test_prefix}${name} COMMAND ${ARGN} WORKING_DIRECTORY ${folder})
    set_tests_properties(${smelt_test_prefix}${name} PROPERTIES
        ENVIRONMENT "${smelt_test_env}" TIMEOUT 600 LABELS ${smelt_tier} COST ${smelt_cost})
endfunction()

# A file that has a list of mechanisms of its own cannot be in one program with others.
function(smelt_add_suite suite)
    set(together)
    foreach(source ${ARGN})
        file(STRINGS ${source} own REGEX "^const struct mech \\*const \\*mech_list\\(")
        if(own)
            get_filename_component(file ${source} NAME_WE)
            smelt_add_program(${suite} ${suite}.${file} ${source})
        else()
            list(APPEND together ${source})
        endif()
    endforeach()
    if(together)
        smelt_add_program(${suite} ${suite} ${together})
    endif()
endfunction()

# The program, and in ${program}.files.c the table of its files: see tests/test_main.h.
function(smelt_add_program suite program)
    set(declared "")
    set(table "")
    set(library smelt_core)
    add_executable(${program} ${ARGN} ${PROJECT_SOURCE_DIR}/tests/test_main.c)
    foreach(source ${ARGN})
        get_filename_component(file ${source} NAME_WE)
        string(APPEND declared "extern const struct test_file ${file};\n")
        string(APPEND table "    &${file},\n")
        set_property(SOURCE ${source} APPEND PROPERTY COMPILE_DEFINITIONS TEST_FILE=${file})
        set_property(SOURCE ${source} APPEND PROPERTY COMPILE_OPTIONS ${flags_${suite}.${file}})
        file(STRINGS ${source} studies REGEX "^#include \"(workload|runs|store|cluster|figure|study|page)/")
        if(studies)
            set(library smelt_study)
        endif()
        smelt_add_test(${suite}.${file} ${program} ${file})
    endforeach()
    set(files ${CMAKE_CURRENT_BINARY_DIR}/${program}.files.c)
    file(CONFIGURE OUTPUT ${files} @ONLY CONTENT [[
#include "tests/test_main.h"

@declared@
const struct test_file *const test_files[] = {
@table@    NULL,
};
]])
    target_sources(${program} PRIVATE ${files})
    target_compile_definitions(${program} PRIVATE TEST_SECONDS=${smelt_test_seconds} TEST_SUITE="${suite}"
        TEST_ALONE=$<IN_LIST:${suite},${smelt_test_alone}>)
    target_link_libraries(${program} PRIVATE ${library} PkgConfig::cmocka m)
    smelt_needs(${program})
endfunction()

# A line "tier: all" in the comment that a script or program begins with.  Those in a longer tier stay there.
macro(smelt_tier_of_file file)
    file(STRINGS ${file} line REGEX "^(#|//) tier: " LIMIT_COUNT 1)
    if(line AND smelt_tier STREQUAL short)
        string(REGEX REPLACE "^.* " "" smelt_tier "${line}")
    endif()
endmacro()

function(smelt_add_script suite script)
    smelt_tier_of_file(${script})
    get_filename_component(file ${script} NAME_WE)
    smelt_add_test(${suite}.${file} bash ${script})
endfunction()

function(smelt_add_fuzzer source)
    get_filename_component(name ${source} NAME_WE)
    add_executable(${name} ${source})
    file(STRINGS ${source} studies REGEX "^#include \"(workload|runs|store|cluster|figure|study|page)/")
    target_link_libraries(${name} PRIVATE $<IF:$<BOOL:${studies}>,smelt_study,smelt_core>)
    target_link_options(${name} PRIVATE -fsanitize=fuzzer)
    smelt_needs(${name})
    smelt_add_test(fuzz.minute.${name} sh -c
        "mkdir -p found && exec $<TARGET_FILE:${name}> -max_total_time=60 -timeout=10 -print_final_stats=1 found ${PROJECT_SOURCE_DIR}/tests/fuzz/corpus/${name}")
endfunction()
