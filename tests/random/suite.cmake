# Random configurations within the documented ranges: random.config.SEED, each some of them.  More by hand, in any build:
#
#   build/asan/tests/random_config --seed 1000 --count 20000
smelt_tier(short)
add_executable(random_config ${CMAKE_CURRENT_LIST_DIR}/random_config.c ${CMAKE_CURRENT_LIST_DIR}/trial.c
    ${CMAKE_CURRENT_LIST_DIR}/kernel.c)
target_link_libraries(random_config PRIVATE smelt_core m)
smelt_needs(random_config)
set(random_count 100)
if(SMELT_SANITIZE) # four times slower
    set(random_count 75)
endif()
foreach(seed 1 1001 2001 3001)
    smelt_add_test(random.config.${seed} $<TARGET_FILE:random_config> --seed ${seed} --count ${random_count}
        --seconds ${smelt_test_seconds})
endforeach()
smelt_add_test(random.ended bash ${CMAKE_CURRENT_LIST_DIR}/ended.sh $<TARGET_FILE:random_config>)

# 20000 more before a release.
if(NOT SMELT_SANITIZE AND NOT SMELT_HOSTILE)
    smelt_tier(long)
    set(smelt_cost 60)
    foreach(thousand RANGE 101 120)
        smelt_add_test(random.many.${thousand}000 $<TARGET_FILE:random_config> --seed ${thousand}000 --count 1000
            --seconds ${smelt_test_seconds})
    endforeach()
endif()
