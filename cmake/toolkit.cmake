# The toolkit: what a CUDA program is built with and runs on, laid out as CUDA's own tree is, so
# that Makefiles with CUDA_DIR or NVCC take it.  In the build folder it is toolkit/, installed it is
# lib/smelt/:
#
#   bin/nvcc                  smelt itself, which is `smelt cc` under this name
#   include/                  the headers of src/rt/include
#   lib64/libcudart.so        the runtime, with the simulator inside; libcuda.so is the same file,
#                             and libcudart_static.so, which CMake wants to find
#   lib64/math.bc             the device math library of src/rt/math
#   lib64/lib*.a              libraries that Makefiles give the linker, and that are empty: the
#                             headers have it all

set(toolkit ${PROJECT_BINARY_DIR}/toolkit)
set(toolkit_install lib/smelt)

# --- the runtime -------------------------------------------------------------------------------

file(GLOB rt_sources CONFIGURE_DEPENDS src/rt/*.c)
if(NOT rt_sources)
    return()
endif()
add_library(cudart SHARED ${rt_sources})
target_link_libraries(cudart PRIVATE smelt_core)
target_include_directories(cudart PRIVATE src/rt/include)
set_target_properties(cudart PROPERTIES C_VISIBILITY_PRESET hidden
    LIBRARY_OUTPUT_DIRECTORY ${toolkit}/lib64)
# nodelete: its report is written when the process ends, also after a dlclose.
target_link_options(cudart PRIVATE -Wl,--exclude-libs,ALL -Wl,-Bsymbolic -Wl,-z,nodelete)

# --- device math -------------------------------------------------------------------------------

find_program(SMELT_CLANG NAMES clang-14 clang-15 clang-16 clang REQUIRED)
file(GLOB math_sources CONFIGURE_DEPENDS src/rt/math/*.c)
file(GLOB math_headers CONFIGURE_DEPENDS src/rt/math/*.h src/rt/math/*.inc)
set(math_all ${PROJECT_BINARY_DIR}/gen/math_all.c)
set(math_text "")
foreach(source ${math_sources})
    string(APPEND math_text "#include \"${source}\"\n")
endforeach()
file(CONFIGURE OUTPUT ${math_all} CONTENT "${math_text}")
add_custom_command(OUTPUT ${toolkit}/lib64/math.bc VERBATIM
    COMMAND ${SMELT_CLANG} -x c -std=c17 -target nvptx64-nvidia-cuda -Xclang -target-cpu
            -Xclang sm_20 -O2 -ffp-contract=off -ffreestanding -fno-math-errno -Wall -Wextra
            -Wno-missing-prototypes -Werror -I${PROJECT_SOURCE_DIR}/src -emit-llvm
            -c ${math_all} -o ${toolkit}/lib64/math.bc
    DEPENDS ${math_all} ${math_sources} ${math_headers})
add_custom_target(math ALL DEPENDS ${toolkit}/lib64/math.bc)

# --- the tree ----------------------------------------------------------------------------------

file(MAKE_DIRECTORY ${toolkit}/bin ${toolkit}/lib64)
file(CREATE_LINK ${PROJECT_SOURCE_DIR}/src/rt/include ${toolkit}/include SYMBOLIC)
file(CREATE_LINK ../../smelt ${toolkit}/bin/nvcc SYMBOLIC)
foreach(alias libcuda.so libcuda.so.1 libcudart_static.so)
    file(CREATE_LINK libcudart.so ${toolkit}/lib64/${alias} SYMBOLIC)
endforeach()

foreach(name cudadevrt cutil cutilD cutil_x86_64 cutil_x86_64D shrutil shrutil_x86_64
        shrutil_x86_64D)
    file(WRITE ${toolkit}/lib64/lib${name}.a "!<arch>\n")
endforeach()

install(TARGETS cudart LIBRARY DESTINATION ${toolkit_install}/lib64)
install(FILES ${toolkit}/lib64/math.bc ${toolkit}/lib64/libcuda.so ${toolkit}/lib64/libcuda.so.1
    ${toolkit}/lib64/libcudart_static.so DESTINATION ${toolkit_install}/lib64)
install(DIRECTORY ${toolkit}/lib64/ DESTINATION ${toolkit_install}/lib64
    FILES_MATCHING PATTERN "*.a")
install(DIRECTORY src/rt/include/ DESTINATION ${toolkit_install}/include)
install(CODE "
    file(MAKE_DIRECTORY \$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${toolkit_install}/bin)
    file(CREATE_LINK ../../../${CMAKE_INSTALL_BINDIR}/smelt
         \$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${toolkit_install}/bin/nvcc SYMBOLIC)")
install(DIRECTORY workloads DESTINATION ${CMAKE_INSTALL_DATADIR}/smelt OPTIONAL)
