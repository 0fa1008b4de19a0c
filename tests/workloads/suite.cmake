# Every bundled workload at its default size (in release builds; with sanitizers that takes too long)
# and at a second, odd size with another seed: workloads.NAME, workloads.NAME.odd.  At the size `mix`, those that have one
# execute the mix of instructions of the suite's original program: workloads.NAME.mix.
include(${CMAKE_CURRENT_LIST_DIR}/list.cmake)

smelt_tier(short long)
if(TARGET smelt AND TARGET cudart)
    foreach(name ${workload_names})
        workload_field(${name} odd size)
        if(NOT SMELT_SANITIZE)
            smelt_add_test(workloads.${name} bash ${CMAKE_CURRENT_LIST_DIR}/check.sh ${name})
            workload_optional_field(${name} mix mix)
            if(mix)
                smelt_add_test(workloads.${name}.mix
                    sh -c "rm -rf results && bash ${PROJECT_SOURCE_DIR}/bench/originals -o results check ${name}")
            endif()
        endif()
        smelt_add_test(workloads.${name}.odd
            bash ${CMAKE_CURRENT_LIST_DIR}/check.sh ${name} --size ${size} --seed 7)
    endforeach()
    # Paths that no size takes: samples of more than one tile, layers above the first, other blocks.
    smelt_add_test(workloads.mri-q.tiles
        bash ${CMAKE_CURRENT_LIST_DIR}/check.sh mri-q --size 100 --samples 2053 --seed 7)
    smelt_add_test(workloads.cutcp.layers
        bash ${CMAKE_CURRENT_LIST_DIR}/check.sh cutcp --size 14 --layers 3 --seed 7)
    smelt_add_test(workloads.bfs.block
        bash ${CMAKE_CURRENT_LIST_DIR}/check.sh bfs --size 1003 --block 96 --seed 7)
    smelt_add_test(workloads.lavamd.cube
        bash ${CMAKE_CURRENT_LIST_DIR}/check.sh lavamd --size 25 --side 3 --seed 5)
endif()
