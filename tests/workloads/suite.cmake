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
    # Products of matrices have a kernel for each tile, chosen by the GPU and the size: with few SMs, small sizes take
    # those of large ones.  NAME, TILE, SMs of socgpu, SIZE; conv-train's sizes are one image, five of 5 x 5, and two whole.
    foreach(choice
            "gemm-train 64x64 28 97" "gemm-train 128x64 2 120" "gemm-train 128x128 1 120"
            "gemm-inference 64x64 28 257" "gemm-inference 128x64 1 120"
            "conv-train 64x64 28 5" "conv-train 128x64 1 20" "conv-train 64x128 1 20" "conv-train 128x64 28 112"
            "conv-inference 64x64 28 17" "conv-inference 128x64 5 45" "conv-inference 128x128 5 45"
            "rnn-lstm-train 128x32 28 192" "rnn-lstm-train 128x64 2 128" "rnn-lstm-train 128x128 2 128"
            "rnn-gru-train 128x32 28 192" "rnn-gru-train 128x64 2 128" "rnn-gru-train 128x128 2 128"
            "rnn-lstm-inference 128x32 28 192" "rnn-gru-inference 128x32 28 192")
        separate_arguments(choice)
        list(GET choice 0 name)
        list(GET choice 1 tile)
        list(GET choice 2 sms)
        list(GET choice 3 size)
        smelt_add_test(workloads.${name}.${tile}.${sms} bash ${CMAKE_CURRENT_LIST_DIR}/tile.sh ${tile}
            -g socgpu --set gpu.n_sm=${sms} ${name} --size ${size} --seed 9)
    endforeach()
    # GPUs whose threads have 63 registers take the plain kernels, and so do those with few registers for many.
    foreach(name gemm-train gemm-inference conv-train conv-inference rnn-lstm-train rnn-lstm-inference rnn-gru-train
            rnn-gru-inference)
        workload_field(${name} tiny size)
        smelt_add_test(workloads.${name}.plain
            bash ${CMAKE_CURRENT_LIST_DIR}/tile.sh plain -g gtx480 ${name} --size ${size} --seed 9)
        smelt_add_test(workloads.${name}.few
            bash ${CMAKE_CURRENT_LIST_DIR}/check.sh -g tiny ${name} --size ${size} --seed 9)
    endforeach()
endif()
