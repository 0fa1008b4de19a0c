# src/exec/exec_lane.c holds the loops over the 32 lanes of a warp.  It is compiled once per host
# instruction set, its names suffixed with LANE_ISA, and the best one is picked at run time.

set(lane_source ${PROJECT_SOURCE_DIR}/src/exec/exec_lane.c)
set(lane_flags_base)
set(lane_flags_avx2 -mavx2 -mfma -mbmi -mbmi2)
set(lane_flags_avx512 -mavx512f -mavx512bw -mavx512dq -mavx512vl -mfma -mbmi -mbmi2
    -mprefer-vector-width=512)

set(lane_isas base)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$")
    list(APPEND lane_isas avx2 avx512)
    target_compile_definitions(smelt_core PUBLIC SMELT_HAVE_X86_LANES=1)
endif()

# The two -fno- flags free the vectoriser from errno and from exception flags; values stay the same.
function(smelt_add_lane isa)
    add_library(lane_${isa} OBJECT ${lane_source})
    target_compile_definitions(lane_${isa} PRIVATE LANE_ISA=${isa}
        $<TARGET_PROPERTY:smelt_core,COMPILE_DEFINITIONS>)
    target_compile_options(lane_${isa} PRIVATE
        ${lane_flags_${isa}} -fno-math-errno -fno-trapping-math
        $<$<C_COMPILER_ID:Clang>:-Wno-pass-failed>) # loops with soft float stay scalar
    target_link_libraries(lane_${isa} PRIVATE smelt_flags)
    set_target_properties(lane_${isa} PROPERTIES
        POSITION_INDEPENDENT_CODE ON C_VISIBILITY_PRESET hidden)
    target_sources(smelt_core PRIVATE $<TARGET_OBJECTS:lane_${isa}>)
endfunction()

if(EXISTS ${lane_source})
    foreach(isa ${lane_isas})
        smelt_add_lane(${isa})
    endforeach()
endif()
