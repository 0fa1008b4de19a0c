# The bundled workloads and their second sizes: `workload_names`, and `workload_field(NAME FIELD VAR)` for a field
# of the comment at the beginning of a program (odd, tiny); `workload_optional_field` likewise, empty if it has none (mix).
file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/workloads/*/*.cu)
set(workload_names)
foreach(source ${sources})
    get_filename_component(name ${source} NAME_WE)
    list(APPEND workload_names ${name})
endforeach()

function(workload_optional_field name field var)
    set(source ${PROJECT_SOURCE_DIR}/workloads/${name}/${name}.cu)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${source})
    file(STRINGS ${source} line REGEX "^ \\* ${field}: " LIMIT_COUNT 1)
    string(REGEX REPLACE "^ \\* ${field}: *" "" value "${line}")
    set(${var} "${value}" PARENT_SCOPE)
endfunction()

function(workload_field name field var)
    workload_optional_field(${name} ${field} value)
    if(value STREQUAL "")
        message(FATAL_ERROR "workloads/${name}/${name}.cu: its first comment has no line '${field}: ..'")
    endif()
    set(${var} "${value}" PARENT_SCOPE)
endfunction()

# The programs of set share33.
set(share33 bfs-parboil cutcp histo lbm mri-q sgemm-parboil backprop bfs cfd gaussian heartwall hotspot kmeans lud
    pathfinder srad)
