# In the build `hostile` only: what can be refused is refused at random, and on the GPU `hostile` every
# queue is as short as it can be.  Workloads and reference jobs must compute the right results.
if(NOT SMELT_HOSTILE)
    return()
endif()

set(hostile_size
    aes:259 backprop:97 bfs:1003 blackscholes:2003 cp:31 histogram:10003 hotspot:33 kmeans:301 lud:48
    mergesort:2003 nn:1027 pathfinder:259 reduction:10007 sad:32 scan:5003 sgemm:37 transpose:101
    vectoradd:2003)

foreach(pair ${hostile_size})
    string(REPLACE ":" ";" pair ${pair})
    list(GET pair 0 name)
    list(GET pair 1 size)
    smelt_add_test(hostile.${name}
        bash ${CMAKE_CURRENT_LIST_DIR}/check.sh hostile ${name} --size ${size} --seed 7)
    smelt_add_test(hostile.${name}.gtx480
        bash ${CMAKE_CURRENT_LIST_DIR}/check.sh gtx480 ${name} --size ${size} --seed 8)
endforeach()
