# Runs PROGRAM --list and writes to OUT one add_test per case, named NAME.CASE.  With FOLDERS each runs
# in a folder of its own there: cases of a program that writes files run at the same time.
execute_process(COMMAND ${PROGRAM} --list
    OUTPUT_VARIABLE cases RESULT_VARIABLE status OUTPUT_STRIP_TRAILING_WHITESPACE)
if(NOT status EQUAL 0)
    message(FATAL_ERROR "${PROGRAM} --list failed: ${status}")
endif()

string(REPLACE "\n" ";" cases "${cases}")
set(text "")
foreach(case ${cases})
    set(folder "")
    if(FOLDERS)
        file(MAKE_DIRECTORY ${FOLDERS}/${case})
        set(folder " WORKING_DIRECTORY \"${FOLDERS}/${case}\"")
    endif()
    string(APPEND text
        "add_test(\"${NAME}.${case}\" \"${PROGRAM}\" \"${case}\")\n"
        "set_tests_properties(\"${NAME}.${case}\" PROPERTIES TIMEOUT 300${folder}\n"
        "    ENVIRONMENT \"UBSAN_OPTIONS=print_stacktrace=1\")\n")
endforeach()
file(WRITE ${OUT} "${text}")
