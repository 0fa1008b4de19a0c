# Every bundled workload at its usual size (in release builds; with sanitizers that takes too long)
# and at a second, odd size with another seed: workload.NAME, workload.NAME.odd.
set(odd_size
    aes:1003 backprop:777 bfs:5003 blackscholes:10007 cp:63 histogram:100003 hotspot:101 kmeans:1501
    lud:96 mergesort:10007 nn:4099 pathfinder:1031 reduction:100003 sad:72 scan:50021 sgemm:93
    transpose:333 vectoradd:10007)

if(TARGET smelt AND TARGET cudart)
    foreach(pair ${odd_size})
        string(REPLACE ":" ";" pair ${pair})
        list(GET pair 0 name)
        list(GET pair 1 size)
        if(NOT SMELT_SANITIZE)
            smelt_add_test(workload.${name} bash ${CMAKE_CURRENT_LIST_DIR}/check.sh ${name})
        endif()
        smelt_add_test(workload.${name}.odd
            bash ${CMAKE_CURRENT_LIST_DIR}/check.sh ${name} --size ${size} --seed 7)
    endforeach()
endif()
