# The mechanisms of docs/ADDING.md, compiled from the page's own text and run.
set(recipes ${CMAKE_CURRENT_BINARY_DIR}/gen/recipes)
set(page ${PROJECT_SOURCE_DIR}/docs/ADDING.md)
set(extract ${CMAKE_CURRENT_LIST_DIR}/extract.awk)
set(recipe_sources ${recipes}/mech/stream.c ${recipes}/mech/stride.c)

file(MAKE_DIRECTORY ${recipes}/mech)
add_custom_command(VERBATIM
    OUTPUT ${recipe_sources} ${recipes}/mech/stream.def ${recipes}/mech/stride.def
    COMMAND awk -v dir=${recipes}/mech -f ${extract} ${page}
    DEPENDS ${page} ${extract})
smelt_tier(short all)
if(SMELT_HOSTILE)
    smelt_tier(all)
endif()
smelt_add_suite(recipes ${CMAKE_CURRENT_LIST_DIR}/t_recipes.c)
target_sources(recipes.t_recipes PRIVATE ${recipe_sources})
target_include_directories(recipes.t_recipes PRIVATE ${recipes})
