# smelt_embed(TARGET file symbol): the bytes of a file as a string in the target, with a NUL after them:
#
#     extern const char symbol[];
#
# Made at build time, and anew when the file changes.  The same file, as a script, does the work:
#
#     cmake -D IN=file -D OUT=file.c -D SYMBOL=symbol -P embed.cmake
if(CMAKE_SCRIPT_MODE_FILE)
    file(READ ${IN} hex HEX)
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${hex}")
    file(WRITE ${OUT}
        "extern const char ${SYMBOL}[];\nconst char ${SYMBOL}[] = {${bytes}'\\0'};\n")
    return()
endif()

set(smelt_embed_script ${CMAKE_CURRENT_LIST_FILE})

function(smelt_embed target file symbol)
    set(in ${PROJECT_SOURCE_DIR}/${file})
    set(out ${PROJECT_BINARY_DIR}/gen/embed/${symbol}.c)
    add_custom_command(OUTPUT ${out} DEPENDS ${in} ${smelt_embed_script} VERBATIM
        COMMAND ${CMAKE_COMMAND} -D IN=${in} -D OUT=${out} -D SYMBOL=${symbol}
                -P ${smelt_embed_script})
    target_sources(${target} PRIVATE ${out})
endfunction()
