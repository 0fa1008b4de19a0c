# Programs, most of them wrong, and what they say: cuda.NAME (see check.sh).
smelt_tier(short all)
if(TARGET smelt AND TARGET cudart)
    file(GLOB files CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/*.cu)
    foreach(file ${files})
        get_filename_component(name ${file} NAME_WE)
        smelt_add_test(cuda.${name} bash ${CMAKE_CURRENT_LIST_DIR}/check.sh ${file})
    endforeach()
endif()
