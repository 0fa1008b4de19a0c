# Pages in a browser: page.NAME, one script each, with the tool of tool.c in the environment as TOOL.
add_executable(page.tool ${CMAKE_CURRENT_LIST_DIR}/tool.c)
target_link_libraries(page.tool PRIVATE smelt_study)
smelt_tier(short all)
if(TARGET smelt)
    file(GLOB scripts CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/*.sh)
    smelt_needs(page.tool)
    foreach(script ${scripts})
        get_filename_component(name ${script} NAME_WE)
        smelt_add_test(page.${name} ${CMAKE_COMMAND} -E env TOOL=$<TARGET_FILE:page.tool>
            bash ${script})
    endforeach()
endif()
