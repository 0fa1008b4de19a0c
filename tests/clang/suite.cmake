# Built by the other compiler it gives the same bytes: clang.NAME, every workload.
include(${CMAKE_CURRENT_LIST_DIR}/../workloads/list.cmake)

if(TARGET smelt AND TARGET cudart AND NOT SMELT_SANITIZE)
    smelt_tier(all)
    foreach(name ${workload_names})
        workload_field(${name} tiny size)
        smelt_add_test(clang.${name} bash ${CMAKE_CURRENT_LIST_DIR}/same.sh
            ${PROJECT_SOURCE_DIR}/build/clang/smelt ${name} --size ${size} --seed 8)
    endforeach()
endif()
