# In the build `hostile` only: what can be refused is refused at random, and on the GPU `hostile` every
# queue is as short as it can be.  Workloads, with SMs bound to each other too, reference jobs and the
# recipes of docs/ADDING.md must compute the right results.
#
# The tier `all` has every program on the hostile GPU, and every mechanism with every kind of program; the
# full product, each mechanism in all its modes with all programs, is in `long`.
if(NOT SMELT_HOSTILE)
    return()
endif()

include(${CMAKE_CURRENT_LIST_DIR}/../workloads/list.cmake)

# A program of each kind: blocks that synchronise, atomics, lanes that part over irregular memory, a barrier of the whole
# grid, textures, calls and recursion, double precision, hundreds of short launches.
set(hostile_kinds scan histo bfs bfs-parboil mum ray lavamd gaussian)

macro(hostile_tier name)
    smelt_tier(long)
    if(${name} IN_LIST hostile_kinds)
        smelt_tier(all)
    endif()
endmacro()

foreach(name ${workload_names})
    workload_field(${name} tiny size)
    smelt_tier(all)
    smelt_add_test(hostile.${name}
        bash ${CMAKE_CURRENT_LIST_DIR}/check.sh hostile ${name} --size ${size} --seed 7)
    hostile_tier(${name})
    smelt_add_test(hostile.${name}.gtx480
        bash ${CMAKE_CURRENT_LIST_DIR}/check.sh gtx480 ${name} --size ${size} --seed 8)
    smelt_add_test(hostile.${name}.gates
        bash ${CMAKE_CURRENT_LIST_DIR}/check.sh gates -m gates ${name} --size ${size} --seed 9)
endforeach()

# Each binding on some, and on all the one that takes its turn.
set(bindings wide lend,late=1,l1d=2 lend,size=3 join,late=1 lock_step lock_step,size=4,late=1 lock_step,size=8,part=500)
set(turn 0)
foreach(name ${workload_names})
    workload_field(${name} tiny size)
    hostile_tier(${name})
    list(GET bindings ${turn} binding)
    math(EXPR turn "(${turn} + 1) % 7")
    smelt_add_test(hostile.${name}.bind bash ${CMAKE_CURRENT_LIST_DIR}/check.sh gtx480
        --set sm.n_warp=32 --set sm.max_threads=1024 -m bind:kind=${binding} ${name} --size ${size} --seed 10)
endforeach()
foreach(name histo kmeans scan)
    workload_field(${name} tiny size)
    hostile_tier(${name})
    foreach(binding ${bindings})
        smelt_add_test(hostile.${name}.bind.${binding} bash ${CMAKE_CURRENT_LIST_DIR}/check.sh gtx480
            --set sm.n_warp=32 --set sm.max_threads=1024 -m bind:kind=${binding} ${name} --size ${size} --seed 11)
        smelt_add_test(hostile.${name}.bind.${binding}.gates bash ${CMAKE_CURRENT_LIST_DIR}/check.sh gates
            --set sm.n_warp=32 --set sm.max_threads=1024 -m bind:kind=${binding} -m gates ${name} --size ${size} --seed 12)
    endforeach()
endforeach()

foreach(name ${share33})
    workload_field(${name} tiny size)
    hostile_tier(${name})
    foreach(scheme half occ bal bigsm bigsm_occ)
        smelt_add_test(hostile.${name}.share.${scheme} bash ${CMAKE_CURRENT_LIST_DIR}/check.sh share
            -m share:scheme=${scheme} ${name} --size ${size} --seed 13)
    endforeach()
endforeach()

# Out-of-order issue on all, with a buffer and a policy that take their turns; smart dual issue, `gates`
# and other GPUs on some.
set(turn 0)
foreach(name ${workload_names})
    workload_field(${name} tiny size)
    hostile_tier(${name})
    math(EXPR policy "${turn} / 3")
    math(EXPR buffer "${turn} % 3")
    math(EXPR turn "${turn} + 1")
    socgpu_choices(${policy} choices)
    list(GET choices ${buffer} keys)
    smelt_add_test(hostile.${name}.socgpu bash ${CMAKE_CURRENT_LIST_DIR}/check.sh socgpu
        -m socgpu:${keys} ${name} --size ${size} --seed 15)
endforeach()
foreach(name histo kmeans scan reduction hybridsort)
    workload_field(${name} tiny size)
    hostile_tier(${name})
    smelt_add_test(hostile.${name}.socgpu.smart bash ${CMAKE_CURRENT_LIST_DIR}/check.sh socgpu
        -m socgpu:dual=smart ${name} --size ${size} --seed 16)
    smelt_add_test(hostile.${name}.socgpu.gates bash ${CMAKE_CURRENT_LIST_DIR}/check.sh gates
        -m socgpu -m gates ${name} --size ${size} --seed 17)
    smelt_add_test(hostile.${name}.socgpu.small bash ${CMAKE_CURRENT_LIST_DIR}/check.sh hostile
        -m socgpu:refill=1 ${name} --size ${size} --seed 18)
    smelt_add_test(hostile.${name}.socgpu.share bash ${CMAKE_CURRENT_LIST_DIR}/check.sh share
        -m socgpu -m share:scheme=bigsm_occ ${name} --size ${size} --seed 19)
endforeach()

# Buddy SM on all, with a cluster that takes its turn; `gates` and another GPU, on which SMs are left
# over, on some.
set(turn 0)
foreach(name ${workload_names})
    workload_field(${name} tiny size)
    hostile_tier(${name})
    math(EXPR way "${turn} / 3")
    math(EXPR of "${turn} % 3")
    math(EXPR turn "${turn} + 1")
    buddy_choices(${way} choices)
    list(GET choices ${of} keys)
    smelt_add_test(hostile.${name}.buddy bash ${CMAKE_CURRENT_LIST_DIR}/check.sh buddy
        -m buddy:${keys} ${name} --size ${size} --seed 20)
endforeach()
foreach(name histo kmeans scan mergesort bfs)
    workload_field(${name} tiny size)
    hostile_tier(${name})
    smelt_add_test(hostile.${name}.buddy.gates bash ${CMAKE_CURRENT_LIST_DIR}/check.sh gates
        -m buddy:size=4,regroup=halfway -m gates ${name} --size ${size} --seed 21)
    smelt_add_test(hostile.${name}.buddy.left bash ${CMAKE_CURRENT_LIST_DIR}/check.sh gtx480
        -m buddy:size=8,regroup=halfway,form=default ${name} --size ${size} --seed 22)
endforeach()

# AMOEBA on all, in a mode that takes its turn, on so few SMs that CTAs are left when they have fused; every
# mode, by what makes warps diverge, and another GPU on some.
set(amoeba_few --set gpu.n_sm=2 --set sm.max_cta=1)
set(turn 0)
foreach(name ${workload_names})
    workload_field(${name} tiny size)
    hostile_tier(${name})
    list(GET amoeba_modes ${turn} keys)
    math(EXPR turn "(${turn} + 1) % 4")
    smelt_add_test(hostile.${name}.amoeba bash ${CMAKE_CURRENT_LIST_DIR}/check.sh amoeba ${amoeba_few}
        -m amoeba:${keys} ${name} --size ${size} --seed 25)
endforeach()
foreach(name bfs ray reduction)
    workload_field(${name} tiny size)
    hostile_tier(${name})
    foreach(mode direct_split warp_regroup)
        foreach(by control memory)
            smelt_add_test(hostile.${name}.amoeba.${mode}.${by} bash ${CMAKE_CURRENT_LIST_DIR}/check.sh amoeba
                ${amoeba_few} -m amoeba:mode=${mode},divergence=${by},${amoeba_often} ${name} --size ${size} --seed 26)
        endforeach()
    endforeach()
    foreach(mode scale_up static_fuse)
        smelt_add_test(hostile.${name}.amoeba.${mode} bash ${CMAKE_CURRENT_LIST_DIR}/check.sh amoeba
            ${amoeba_few} -m amoeba:mode=${mode},predictor=always ${name} --size ${size} --seed 27)
    endforeach()
    foreach(after stay fuse_around restart)
        smelt_add_test(hostile.${name}.amoeba.${after} bash ${CMAKE_CURRENT_LIST_DIR}/check.sh amoeba ${amoeba_few}
            -m amoeba:${amoeba_often},sampling=running,length=100,after_sample=${after} ${name} --size ${size} --seed 29)
    endforeach()
    smelt_add_test(hostile.${name}.amoeba.small bash ${CMAKE_CURRENT_LIST_DIR}/check.sh hostile
        -m amoeba:group=4,move=4,${amoeba_often} ${name} --size ${size} --seed 28)
endforeach()

# Dynamic warp subdivision on all, with keys that take their turns; with all keys, and SMs that are bound
# or have pipelines off, on some.
set(turn 0)
foreach(name ${workload_names})
    workload_field(${name} tiny size)
    hostile_tier(${name})
    list(GET dws_choices ${turn} keys)
    math(EXPR turn "(${turn} + 3) % 10")
    smelt_add_test(hostile.${name}.dws bash ${CMAKE_CURRENT_LIST_DIR}/check.sh gtx480
        -m dws:${keys} ${name} --size ${size} --seed 23)
endforeach()
foreach(name bfs mergesort mum)
    workload_field(${name} tiny size)
    hostile_tier(${name})
    foreach(keys ${dws_choices})
        smelt_add_test(hostile.${name}.dws.${keys} bash ${CMAKE_CURRENT_LIST_DIR}/check.sh hostile
            -m dws:${keys} ${name} --size ${size} --seed 24)
    endforeach()
    smelt_add_test(hostile.${name}.dws.gates bash ${CMAKE_CURRENT_LIST_DIR}/check.sh gates
        -m dws:memory=aggressive,least=1 -m gates ${name} --size ${size} --seed 25)
    foreach(binding wide lend join)
        smelt_add_test(hostile.${name}.dws.bind.${binding} bash ${CMAKE_CURRENT_LIST_DIR}/check.sh gtx480
            --set sm.n_warp=32 --set sm.max_threads=1024 -m bind:kind=${binding}
            -m dws:memory=aggressive,least=1 ${name} --size ${size} --seed 26)
    endforeach()
endforeach()

# Every mode of AMOEBA and of dws on all.
smelt_tier(long)
foreach(name ${workload_names})
    workload_field(${name} tiny size)
    foreach(keys ${amoeba_modes})
        smelt_add_test(hostile.${name}.amoeba.${keys} bash ${CMAKE_CURRENT_LIST_DIR}/check.sh amoeba ${amoeba_few}
            -m amoeba:${keys} ${name} --size ${size} --seed 31)
    endforeach()
    foreach(keys when=both when=both,reunite=pc,memory=aggressive,least=1)
        smelt_add_test(hostile.${name}.dws.amoeba.${keys} bash ${CMAKE_CURRENT_LIST_DIR}/check.sh amoeba ${amoeba_few}
            -m dws:${keys} ${name} --size ${size} --seed 31)
    endforeach()
endforeach()

# It has a barrier over the whole grid, and asks how many SMs there are.
smelt_tier(all)
workload_field(bfs-parboil odd size)
foreach(scheme half bal)
    smelt_add_test(hostile.bfs-parboil.share.grid.${scheme} bash ${CMAKE_CURRENT_LIST_DIR}/check.sh share
        -m share:scheme=${scheme} bfs-parboil --size ${size} --seed 14)
endforeach()

set(smelt_test_prefix hostile.)
include(${CMAKE_CURRENT_LIST_DIR}/../recipes/suite.cmake)
set(smelt_test_prefix "")
