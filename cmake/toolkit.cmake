# The toolkit: what a CUDA program is built with and runs on, laid out as CUDA's own tree is, so
# that Makefiles with CUDA_DIR or NVCC take it.  In the build folder it is toolkit/, installed it is
# lib/smelt/:
#
#   bin/nvcc                  smelt itself, which is `smelt cc` under this name
#   include/                  the headers of src/toolkit/include
#   lib64/libcudart.so        the runtime, with the simulator inside; libcuda.so is the same file,
#                             and libcudart_static.so and .a, which CMake and Makefiles name
#   lib64/libnvrtc.so         CUDA source compiled at run time, by bin/nvcc
#   lib64/math.bc             the device math library of src/toolkit/math
#   lib64/libcutil*.a, libshrutil*.a
#                             what the SDK's utility libraries have, of src/toolkit/sdk
#   lib64/libcublas.so, libcufft.so, libcurand.so
#                             libraries of kernels, of src/toolkit/cublas and its like
#   lib64/lib*.a              other libraries that Makefiles give the linker are empty: there is
#                             nothing in them that libcudart.so has not
#   lib64/stubs/libcuda.so    where the driver's library is without a driver: what CMake and the
#                             samples' findcudalib.mk look for
#   lib, targets/x86_64-linux, samples/common/inc
#                             other ways to the same files
#   C/common/common.mk, C/common/inc, C/lib, shared/inc, shared/lib, common
#                             the same as the SDKs of CUDA 2 to 4 had it; see docs/PROGRAMS.md
#   version.txt, version.json what `nvcc --version` says

set(toolkit ${PROJECT_BINARY_DIR}/toolkit)
set(toolkit_install lib/smelt)
set(toolkit_version 10.1.105) # of the CUDA that it stands in for

# --- the runtime -------------------------------------------------------------------------------

file(GLOB rt_sources CONFIGURE_DEPENDS src/rt/*.c)
if(NOT rt_sources)
    return()
endif()
add_library(cudart SHARED ${rt_sources})
target_link_libraries(cudart PRIVATE smelt_core)
target_include_directories(cudart PRIVATE src/toolkit/include)
set_target_properties(cudart PROPERTIES C_VISIBILITY_PRESET hidden
    LIBRARY_OUTPUT_DIRECTORY ${toolkit}/lib64)
# Other shared libraries of a package are in lib/smelt/deps (tools/package.sh).
set_target_properties(cudart PROPERTIES INSTALL_RPATH "$ORIGIN/../deps" BUILD_WITH_INSTALL_RPATH ON)
# nodelete: its report is written when the process ends, also after a dlclose.
target_link_options(cudart PRIVATE -Wl,--exclude-libs,ALL -Wl,-Bsymbolic -Wl,-z,nodelete)

# --- compiling at run time ---------------------------------------------------------------------

file(GLOB nvrtc_sources CONFIGURE_DEPENDS src/nvrtc/*.c)
add_library(nvrtc SHARED ${nvrtc_sources})
target_link_libraries(nvrtc PRIVATE smelt_core)
target_include_directories(nvrtc PRIVATE src/toolkit/include)
set_target_properties(nvrtc PROPERTIES C_VISIBILITY_PRESET hidden
    LIBRARY_OUTPUT_DIRECTORY ${toolkit}/lib64)
target_link_options(nvrtc PRIVATE -Wl,--exclude-libs,ALL -Wl,-Bsymbolic)

# --- device math -------------------------------------------------------------------------------

# An older clang than this one cannot read it: `smelt cc` refuses those.
find_program(SMELT_CLANG NAMES clang-14 clang-15 clang-16 clang REQUIRED)
execute_process(COMMAND ${SMELT_CLANG} -dumpversion OUTPUT_VARIABLE clang_version)
string(REGEX MATCH "^[0-9]+" clang_major "${clang_version}")
set_source_files_properties(src/cc/cc_tools.c PROPERTIES
    COMPILE_DEFINITIONS CLANG_OLDEST=${clang_major}u)
file(GLOB math_sources CONFIGURE_DEPENDS src/toolkit/math/*.c)
file(GLOB math_headers CONFIGURE_DEPENDS src/toolkit/math/*.h src/toolkit/math/*.inc)
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
            -c gen/math_all.c -o ${toolkit}/lib64/math.bc # a relative name: it ends up inside
    WORKING_DIRECTORY ${PROJECT_BINARY_DIR}
    DEPENDS ${math_all} ${math_sources} ${math_headers})
add_custom_target(math ALL DEPENDS ${toolkit}/lib64/math.bc)

# --- the SDK's libraries -----------------------------------------------------------------------

# They end up in programs of others, made by any compiler: no sanitizers here, and none of our flags.
foreach(name cutil shrutil)
    add_library(${name} STATIC src/toolkit/sdk/${name}.c)
    target_include_directories(${name} PRIVATE src/toolkit/include)
    target_compile_options(${name} PRIVATE -Wall -Wextra)
    set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE ON
        ARCHIVE_OUTPUT_DIRECTORY ${toolkit}/lib64)
    add_dependencies(cudart ${name})
endforeach()

# --- libraries of kernels ----------------------------------------------------------------------

# Made by smelt itself, as a program would be; made again when their sources or the headers change.
file(GLOB_RECURSE toolkit_headers CONFIGURE_DEPENDS src/toolkit/include/*)
set(toolkit_libraries cublas cufft curand)
foreach(library ${toolkit_libraries})
    file(GLOB sources CONFIGURE_DEPENDS src/toolkit/${library}/*.cu src/toolkit/${library}/*.cpp)
    file(GLOB headers CONFIGURE_DEPENDS src/toolkit/${library}/*.h)
    set(file ${toolkit}/lib64/lib${library}.so)
    add_custom_command(OUTPUT ${file} VERBATIM
        COMMAND smelt cc -shared -O2 -std=c++14 -Wall -Wextra -Werror -Xlinker -rpath
                -Xlinker "$ORIGIN" -Xlinker -soname -Xlinker lib${library}.so
                -ffile-prefix-map=${PROJECT_SOURCE_DIR}/= ${sources} -o ${file}
        DEPENDS ${sources} ${headers} ${toolkit_headers})
    add_custom_target(lib${library} ALL DEPENDS ${file})
    add_dependencies(lib${library} smelt cudart math)
    list(APPEND toolkit_targets lib${library})
    install(PROGRAMS ${file} DESTINATION ${toolkit_install}/lib64)
    install(CODE "
        file(RPATH_SET NEW_RPATH \"\\\$ORIGIN\" # without this build folder
            FILE \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${toolkit_install}/lib64/lib${library}.so\")")
endforeach()

# --- the tree ----------------------------------------------------------------------------------

file(MAKE_DIRECTORY ${toolkit})
file(CREATE_LINK ${PROJECT_SOURCE_DIR}/src/toolkit/include ${toolkit}/include SYMBOLIC)
# Where each link is, and what it says.
set(toolkit_links
    lib64/libcuda.so libcudart.so
    lib64/libcuda.so.1 libcudart.so
    lib64/libcudart_static.so libcudart.so
    lib64/libcudart_static.a libcudart.so
    lib64/libcutilD.a libcutil.a
    lib64/libcutil_x86_64.a libcutil.a
    lib64/libcutil_x86_64D.a libcutil.a
    lib64/libshrutilD.a libshrutil.a
    lib64/libshrutil_x86_64.a libshrutil.a
    lib64/libshrutil_x86_64D.a libshrutil.a
    lib64/stubs/libcuda.so ../libcudart.so
    lib64/stubs/libnvrtc.so ../libnvrtc.so
    lib lib64
    targets/x86_64-linux/include ../../include
    targets/x86_64-linux/lib ../../lib64
    samples/common/inc ../../include
    samples/common/lib ../../lib64
    C/lib ../lib64
    C/common/inc ../../include
    C/common/lib ../../lib64
    common C/common
    shared/inc ../include
    shared/lib ../lib64)

# The tree's links below `root`, also in the script of the installation.
set(make_links [[
    while(links)
        list(POP_FRONT links link target)
        cmake_path(GET link PARENT_PATH folder)
        file(MAKE_DIRECTORY "${root}/${folder}")
        file(CREATE_LINK "${target}" "${root}/${link}" SYMBOLIC)
    endwhile()
]])
set(root ${toolkit})
set(links ${toolkit_links} bin/nvcc ../../smelt)
cmake_language(EVAL CODE "${make_links}")

file(WRITE ${toolkit}/version.txt "CUDA Version ${toolkit_version}\n")
file(WRITE ${toolkit}/version.json
    "{\n  \"cuda\": {\"name\": \"CUDA SDK\", \"version\": \"${toolkit_version}\"}\n}\n")

foreach(name cudadevrt culibos)
    file(WRITE ${toolkit}/lib64/lib${name}.a "!<arch>\n")
endforeach()

# A copy, since it looks around where it is; and the folder of projects, which ROOTDIR names.
configure_file(src/toolkit/sdk/common.mk ${toolkit}/C/common/common.mk COPYONLY)
file(MAKE_DIRECTORY ${toolkit}/C/src)

install(TARGETS cudart nvrtc LIBRARY DESTINATION ${toolkit_install}/lib64)
install(FILES ${toolkit}/lib64/math.bc DESTINATION ${toolkit_install}/lib64)
install(FILES ${toolkit}/version.txt ${toolkit}/version.json DESTINATION ${toolkit_install})
install(TARGETS cutil shrutil ARCHIVE DESTINATION ${toolkit_install}/lib64)
install(FILES ${toolkit}/lib64/libcudadevrt.a ${toolkit}/lib64/libculibos.a
    DESTINATION ${toolkit_install}/lib64)
install(FILES src/toolkit/sdk/common.mk DESTINATION ${toolkit_install}/C/common)
install(DIRECTORY DESTINATION ${toolkit_install}/C/src)
install(DIRECTORY src/toolkit/include/ DESTINATION ${toolkit_install}/include)
install(CODE "
    set(root \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${toolkit_install}\")
    set(links ${toolkit_links} bin/nvcc ../../../${CMAKE_INSTALL_BINDIR}/smelt)
    ${make_links}")
install(DIRECTORY workloads DESTINATION ${CMAKE_INSTALL_DATADIR}/smelt OPTIONAL)
