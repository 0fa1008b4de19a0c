# Tests of the device math library: t_math_X.c and the PTX of its list math_X.inc (math_test.h).
# The host's build of the library is linked to each.
if(NOT TARGET math)
    return()
endif()

add_library(math_host STATIC EXCLUDE_FROM_ALL ${math_sources})
target_link_libraries(math_host PUBLIC smelt_flags)
target_compile_options(math_host PRIVATE -fno-math-errno)

file(GLOB lists CONFIGURE_DEPENDS props/math_*.inc)
foreach(list ${lists})
    get_filename_component(file ${list} NAME_WE)
    set(source ${CMAKE_CURRENT_SOURCE_DIR}/props/t_${file}.c)
    if(NOT EXISTS ${source})
        continue()
    endif()
    set(ptx ${CMAKE_CURRENT_BINARY_DIR}/${file}.ptx)
    add_custom_command(OUTPUT ${ptx} VERBATIM
        COMMAND ${SMELT_CLANG} -x cuda --cuda-device-only --cuda-path=/nonexistent -nocudainc
                -nocudalib --cuda-gpu-arch=sm_35 -O2 -Wall -Wextra -Werror -Wno-unknown-cuda-version
                -Wno-linker-warnings -I${PROJECT_SOURCE_DIR} "-DMATH_LIST=\"${list}\""
                -Xclang -target-feature -Xclang +ptx60 -Xclang -mlink-builtin-bitcode
                -Xclang ${toolkit}/lib64/math.bc
                -S ${CMAKE_CURRENT_SOURCE_DIR}/props/math_kernels.cu -o ${ptx}
        DEPENDS ${list} props/math_kernels.cu props/math_wrap.h math ${toolkit}/lib64/math.bc)
    set_property(SOURCE ${source} APPEND PROPERTY COMPILE_DEFINITIONS MATH_PTX="${ptx}")
    list(APPEND math_ptx ${ptx})
endforeach()
add_custom_target(math_ptx DEPENDS ${math_ptx})
add_dependencies(props math_ptx)
target_link_libraries(props PRIVATE math_host)
