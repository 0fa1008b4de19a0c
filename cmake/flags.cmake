# smelt_flags: what every file of ours is compiled with.
add_library(smelt_flags INTERFACE)

target_include_directories(smelt_flags INTERFACE
    ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR}/gen)

# No contraction: a*b+c rounds twice unless the simulated program says fma.
target_compile_options(smelt_flags INTERFACE
    -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla -Wpointer-arith
    -Wwrite-strings -Wundef -ffp-contract=off)

# Messages name files from the root of the tree, wherever it was built: a package says nothing of that.
target_compile_options(smelt_flags INTERFACE -fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=)

if(SMELT_HOSTILE)
    target_compile_definitions(smelt_flags INTERFACE SMELT_HOSTILE=1)
endif()

if(SMELT_FUZZ)
    if(NOT CMAKE_C_COMPILER_ID STREQUAL Clang)
        message(FATAL_ERROR "SMELT_FUZZ needs clang: cmake --preset fuzz")
    endif()
    target_compile_options(smelt_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()

if(SMELT_SANITIZE OR SMELT_FUZZ)
    set(sanitize -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
    target_compile_options(smelt_flags INTERFACE ${sanitize})
    target_link_options(smelt_flags INTERFACE ${sanitize})
endif()
