# Every bundled workload at its default size (in release builds; with sanitizers that takes too long)
# and at a second, odd size with another seed: workload.NAME, workload.NAME.odd.
include(${CMAKE_CURRENT_LIST_DIR}/list.cmake)

if(TARGET smelt AND TARGET cudart)
    foreach(name ${workload_names})
        workload_field(${name} odd size)
        if(NOT SMELT_SANITIZE)
            smelt_add_test(workload.${name} bash ${CMAKE_CURRENT_LIST_DIR}/check.sh ${name})
        endif()
        smelt_add_test(workload.${name}.odd
            bash ${CMAKE_CURRENT_LIST_DIR}/check.sh ${name} --size ${size} --seed 7)
    endforeach()
endif()
