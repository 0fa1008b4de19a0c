# The bundled workloads and their second sizes: `workload_names`, and `workload_field(NAME FIELD VAR)` for a field
# of the comment at the beginning of a program (odd, tiny); `workload_optional_field` likewise, empty if it has none (mix).
file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/workloads/*/*.cu)
set(workload_names)
foreach(source ${sources})
    get_filename_component(name ${source} NAME_WE)
    list(APPEND workload_names ${name})
endforeach()

function(workload_optional_field name field var)
    set(source ${PROJECT_SOURCE_DIR}/workloads/${name}/${name}.cu)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${source})
    file(STRINGS ${source} line REGEX "^ \\* ${field}: " LIMIT_COUNT 1)
    string(REGEX REPLACE "^ \\* ${field}: *" "" value "${line}")
    set(${var} "${value}" PARENT_SCOPE)
endfunction()

function(workload_field name field var)
    workload_optional_field(${name} ${field} value)
    if(value STREQUAL "")
        message(FATAL_ERROR "workloads/${name}/${name}.cu: its first comment has no line '${field}: ..'")
    endif()
    set(${var} "${value}" PARENT_SCOPE)
endfunction()

# The programs of set socgpu22.
set(socgpu22 b+tree backprop bfs dwt2d gaussian hotspot hybridsort kmeans lavamd lud nn particlefilter-float pathfinder
    srad conv-train conv-inference gemm-train gemm-inference rnn-lstm-train rnn-lstm-inference rnn-gru-train
    rnn-gru-inference)

# Out-of-order issue: with each size of buffer a policy that takes its turn.
set(socgpu_policies first older younger most_ready least_ready random)
function(socgpu_choices turn var)
    math(EXPR a "${turn} % 6")
    math(EXPR b "(${turn} + 2) % 6")
    math(EXPR c "(${turn} + 4) % 6")
    list(GET socgpu_policies ${a} pa)
    list(GET socgpu_policies ${b} pb)
    list(GET socgpu_policies ${c} pc)
    set(${var} entries=2,policy=${pa} entries=8,policy=${pb},branches=writeback,oldest=valid
        entries=64,policy=${pc},memory_order=store PARENT_SCOPE)
endfunction()

# The programs of set buddy17.
set(buddy17 binomialoptions cp aes pathfinder bfs mergesort histogram reduction sgemm-parboil scalarprod lib dwthaar1d
    sad blackscholes sobolqrng transpose scan)

# Buddy SM: each size, with a regrouping and a formation that take their turns.
function(buddy_choices turn var)
    set(ways regroup=kernel,form=adaptive regroup=halfway,form=default regroup=halfway,form=adaptive,compare=paths
        regroup=kernel,form=default regroup=halfway,form=adaptive)
    set(all)
    foreach(size 2 4 8)
        math(EXPR at "(${turn} + ${size}) % 5")
        list(GET ways ${at} way)
        list(APPEND all size=${size},${way})
    endforeach()
    set(${var} ${all} PARENT_SCOPE)
endfunction()

# Dynamic warp subdivision: where, when, and how parts re-unite; sizes and numbers of parts take their turns.
set(dws_choices)
foreach(where when=branch when=memory,memory=lazy when=memory,memory=aggressive when=both,memory=lazy
        when=both,memory=aggressive)
    list(APPEND dws_choices ${where},reunite=stack,least=1 ${where},reunite=pc,least=2,slots=5)
endforeach()

# The programs of set share33.
set(share33 bfs-parboil cutcp histo lbm mri-q sgemm-parboil backprop bfs cfd gaussian heartwall hotspot kmeans lud
    pathfinder srad)

# AMOEBA: modes that fuse whatever the program, and split often.
set(amoeba_often predictor=always,threshold=1,period=100)
set(amoeba_modes mode=scale_up mode=static_fuse,${amoeba_often} mode=direct_split,${amoeba_often}
    mode=warp_regroup,${amoeba_often})
