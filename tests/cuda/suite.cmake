# Every .cu file here is a wrong program: cuda.NAME (see check.sh).
if(TARGET smelt AND TARGET cudart)
    file(GLOB files CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/*.cu)
    foreach(file ${files})
        get_filename_component(name ${file} NAME_WE)
        set(folder ${CMAKE_CURRENT_BINARY_DIR}/cuda/${name})
        file(MAKE_DIRECTORY ${folder})
        add_test(NAME cuda.${name} WORKING_DIRECTORY ${folder}
            COMMAND bash ${CMAKE_CURRENT_LIST_DIR}/check.sh ${file})
        set_tests_properties(cuda.${name} PROPERTIES ENVIRONMENT "${smelt_test_env}" TIMEOUT 120)
    endforeach()
endif()
