# Every file here but the good one is a test: wrong.NAME (see check.sh).
smelt_tier(short)
if(TARGET smelt)
    file(GLOB files CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/*.ptx ${CMAKE_CURRENT_LIST_DIR}/*.job
        ${CMAKE_CURRENT_LIST_DIR}/*.cmd)
    list(REMOVE_ITEM files ${CMAKE_CURRENT_LIST_DIR}/good.ptx)
    foreach(file ${files})
        get_filename_component(name ${file} NAME_WE)
        smelt_add_test(wrong.${name} bash ${CMAKE_CURRENT_LIST_DIR}/check.sh ${file})
    endforeach()
endif()
