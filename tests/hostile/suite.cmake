# In the build `hostile` only: what can be refused is refused at random, and on the GPU `hostile` every
# queue is as short as it can be.  Workloads, reference jobs and the recipes of docs/ADDING.md must compute the right
# results.
if(NOT SMELT_HOSTILE)
    return()
endif()

include(${CMAKE_CURRENT_LIST_DIR}/../workloads/list.cmake)

foreach(name ${workload_names})
    workload_field(${name} tiny size)
    smelt_add_test(hostile.${name}
        bash ${CMAKE_CURRENT_LIST_DIR}/check.sh hostile ${name} --size ${size} --seed 7)
    smelt_add_test(hostile.${name}.gtx480
        bash ${CMAKE_CURRENT_LIST_DIR}/check.sh gtx480 ${name} --size ${size} --seed 8)
    smelt_add_test(hostile.${name}.gates
        bash ${CMAKE_CURRENT_LIST_DIR}/check.sh gates -m gates ${name} --size ${size} --seed 9)
endforeach()

set(smelt_test_prefix hostile.)
include(${CMAKE_CURRENT_LIST_DIR}/../recipes/suite.cmake)
set(smelt_test_prefix "")
