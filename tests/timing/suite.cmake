# Timing: every workload computes the right result, and the whole JSON is the same however it was
# made: timing.NAME.  The racy program is one whose result depends on who comes first.
include(${CMAKE_CURRENT_LIST_DIR}/../workloads/list.cmake)

if(TARGET smelt AND TARGET cudart AND NOT SMELT_SANITIZE)
    foreach(name ${workload_names})
        workload_field(${name} odd size)
        smelt_add_test(timing.${name}
            bash ${CMAKE_CURRENT_LIST_DIR}/identical.sh ${name} --size ${size} --seed 7)
    endforeach()
    foreach(name backprop b+tree cutcp heartwall hotspot kmeans lavamd nw srad srad-v2)
        workload_field(${name} odd size)
        smelt_add_test(timing.gates.${name}
            bash ${CMAKE_CURRENT_LIST_DIR}/gates.sh ${name} --size ${size} --seed 7)
    endforeach()
    foreach(name bfs-parboil histo hybridsort kmeans pagerank sad scan transpose)
        workload_field(${name} tiny size)
        smelt_add_test(timing.wide.${name}
            bash ${CMAKE_CURRENT_LIST_DIR}/wide.sh ${name} --size ${size} --seed 7)
    endforeach()
    foreach(name bfs-parboil histo hybridsort kmeans mum nw pagerank reduction scan sgemm-parboil)
        workload_field(${name} tiny size)
        smelt_add_test(timing.bind.${name}
            bash ${CMAKE_CURRENT_LIST_DIR}/bind.sh ${name} --size ${size} --seed 7)
    endforeach()
    foreach(name ${share33})
        workload_field(${name} tiny size)
        smelt_add_test(timing.share.${name}
            bash ${CMAKE_CURRENT_LIST_DIR}/share.sh ${name} --size ${size} --seed 7)
    endforeach()
    set(turn 0)
    foreach(name ${socgpu22})
        workload_field(${name} tiny size)
        socgpu_choices(${turn} choices)
        math(EXPR turn "${turn} + 1")
        list(JOIN choices " " choices)
        smelt_add_test(timing.socgpu.${name} bash ${CMAKE_CURRENT_LIST_DIR}/socgpu.sh socgpu "entries=8 ${choices}"
            ${name} --size ${size} --seed 7)
    endforeach()
    set(turn 0)
    foreach(name ${buddy17})
        workload_field(${name} tiny size)
        buddy_choices(${turn} choices)
        math(EXPR turn "${turn} + 1")
        list(JOIN choices " " choices)
        smelt_add_test(timing.buddy.${name} bash ${CMAKE_CURRENT_LIST_DIR}/buddy.sh "${choices}" ${name} --size ${size}
            --seed 7)
    endforeach()
    foreach(name bfs fastwalsh kmeans pagerank histogram reduction)
        workload_field(${name} tiny size)
        smelt_add_test(timing.amoeba.${name}
            bash ${CMAKE_CURRENT_LIST_DIR}/amoeba.sh 4 ${name} --size ${size} --seed 7)
    endforeach()
    foreach(pair "ray 25" "stringmatch 301" "mum 777" "wp 9" "3mm 33" "atax 45" "correlation 35" "covariance 35")
        separate_arguments(pair)
        list(GET pair 0 name)
        list(GET pair 1 size)
        smelt_add_test(timing.amoeba.${name}
            bash ${CMAKE_CURRENT_LIST_DIR}/amoeba.sh 2 ${name} --size ${size} --seed 7)
    endforeach()
    foreach(name bfs bfs-parboil dwt2d heartwall hybridsort mergesort mum particlefilter-float ray reduction sto wp)
        workload_field(${name} tiny size)
        smelt_add_test(timing.dws.${name} bash ${CMAKE_CURRENT_LIST_DIR}/dws.sh amoeba
            "when=both reunite=pc,memory=aggressive,least=1" ${name} --size ${size} --seed 7)
    endforeach()
    foreach(name 2mm blackscholes scalarprod)
        workload_field(${name} tiny size)
        smelt_add_test(timing.dws.${name} bash ${CMAKE_CURRENT_LIST_DIR}/dws.sh amoeba "never when=both" ${name}
            --size ${size} --seed 7)
    endforeach()
    smelt_add_test(timing.managed bash ${CMAKE_CURRENT_LIST_DIR}/managed.sh)
    smelt_add_test(timing.racy bash ${CMAKE_CURRENT_LIST_DIR}/racy.sh)
    smelt_add_test(timing.stray bash ${CMAKE_CURRENT_LIST_DIR}/stray.sh)
endif()
