# The runner and its store, several at once, killed, on a full disk: study.NAME, one script each, with
# the tool of tool.c in the environment as TOOL.
add_executable(study.tool ${CMAKE_CURRENT_LIST_DIR}/tool.c)
target_link_libraries(study.tool PRIVATE smelt_study)
set(points 200) # of each of two processes
if(SMELT_SANITIZE)
    set(points 40)
endif()
smelt_tier(short all)
if(TARGET smelt)
    file(GLOB scripts CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/*.sh)
    smelt_needs(study.tool)
    foreach(script ${scripts})
        get_filename_component(name ${script} NAME_WE)
        smelt_add_test(study.${name} ${CMAKE_COMMAND} -E env TOOL=$<TARGET_FILE:study.tool>
            POINTS=${points} bash ${script})
    endforeach()
endif()

# All papers' studies with few programs and small inputs: an hour.
if(TARGET smelt AND TARGET cudart AND NOT SMELT_SANITIZE)
    smelt_tier(long)
    set(smelt_cost 3000)
    smelt_add_test(study.papers bash ${CMAKE_CURRENT_LIST_DIR}/papers.bash)
    set_tests_properties(study.papers PROPERTIES TIMEOUT 10800)
endif()
