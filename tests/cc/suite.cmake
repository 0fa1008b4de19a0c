# smelt cc.  Every .cu file here is a program that uses one feature of the language and checks
# itself: cc.feature.NAME (see run.sh).  Every other .sh file is a test of options: cc.NAME.
if(TARGET smelt AND TARGET cudart)
    file(GLOB files CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/*.cu)
    foreach(file ${files})
        get_filename_component(name ${file} NAME_WE)
        set(folder ${CMAKE_CURRENT_BINARY_DIR}/cc/feature/${name})
        file(MAKE_DIRECTORY ${folder})
        add_test(NAME cc.feature.${name} WORKING_DIRECTORY ${folder}
            COMMAND bash ${CMAKE_CURRENT_LIST_DIR}/run.sh ${file})
        set_tests_properties(cc.feature.${name} PROPERTIES
            ENVIRONMENT "${smelt_test_env}" TIMEOUT 120)
    endforeach()
    file(GLOB scripts CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/*.sh)
    list(REMOVE_ITEM scripts ${CMAKE_CURRENT_LIST_DIR}/run.sh)
    foreach(script ${scripts})
        smelt_add_script(cc ${script})
    endforeach()
endif()
