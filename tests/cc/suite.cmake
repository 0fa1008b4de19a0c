# smelt cc.  Every .cu file here is a program that uses one feature of the language and checks
# itself: cc.feature.NAME (see run.sh).  Every other .sh file is a test of options: cc.NAME.
if(TARGET smelt AND TARGET cudart)
    file(GLOB files CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/*.cu)
    foreach(file ${files})
        get_filename_component(name ${file} NAME_WE)
        smelt_add_test(cc.feature.${name} bash ${CMAKE_CURRENT_LIST_DIR}/run.sh ${file})
    endforeach()
    file(GLOB scripts CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/*.sh)
    list(REMOVE_ITEM scripts ${CMAKE_CURRENT_LIST_DIR}/run.sh)
    foreach(script ${scripts})
        smelt_add_script(cc ${script})
    endforeach()
endif()
