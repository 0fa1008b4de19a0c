# The image of `./run image`: made, and smelt run in it.
smelt_tier(long)
if(TARGET smelt AND NOT SMELT_SANITIZE)
    smelt_needs(nvrtc ${toolkit_targets} pages)
    smelt_add_script(image ${CMAKE_CURRENT_LIST_DIR}/image.sh)
    set_tests_properties(image.image PROPERTIES TIMEOUT 1800)
endif()
