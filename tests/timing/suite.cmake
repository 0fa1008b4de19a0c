# Timing: every workload computes the right result, and the whole JSON is the same however it was
# made: timing.NAME.  The racy program is one whose result depends on who comes first.
set(timed_size
    aes:1003 backprop:777 bfs:5003 blackscholes:10007 cp:63 histogram:100003 hotspot:101 kmeans:1501
    lud:96 mergesort:10007 nn:4099 pathfinder:1031 reduction:100003 sad:72 scan:50021 sgemm:93
    transpose:333 vectoradd:10007)

if(TARGET smelt AND TARGET cudart AND NOT SMELT_SANITIZE)
    foreach(pair ${timed_size})
        string(REPLACE ":" ";" pair ${pair})
        list(GET pair 0 name)
        list(GET pair 1 size)
        smelt_add_test(timing.${name}
            bash ${CMAKE_CURRENT_LIST_DIR}/identical.sh ${name} --size ${size} --seed 7)
    endforeach()
    smelt_add_test(timing.managed bash ${CMAKE_CURRENT_LIST_DIR}/managed.sh)
    smelt_add_test(timing.racy bash ${CMAKE_CURRENT_LIST_DIR}/racy.sh)
endif()
