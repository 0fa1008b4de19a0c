# golden: results against recorded ones, each case a test of its own.
#
#   golden.job.NAME       the job NAME.job of bench/reference gives its expected results
#   golden.job_off.NAME   also with front.lower=off, and executes exactly as many instructions
#                         as the reference simulator counted
#   golden.cycles.NAME    it takes the cycles that it takes in the reference simulator, within 5 %
#                         (not under sanitizers, where the longer ones take minutes)
#   golden.disasm.NAME    the machine code of a small kernel is what it was (NAME.disasm here)

file(GLOB golden_jobs CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/bench/reference/kernels/*.job)

smelt_tier(short all)
if(TARGET smelt)
    foreach(file ${golden_jobs})
        get_filename_component(job ${file} NAME_WE)
        smelt_add_test(golden.job.${job} bash ${CMAKE_CURRENT_LIST_DIR}/job.sh ${job})
        smelt_add_test(golden.job_off.${job} bash ${CMAKE_CURRENT_LIST_DIR}/job.sh ${job} off)
        if(NOT SMELT_SANITIZE)
            smelt_add_test(golden.cycles.${job} bash ${CMAKE_CURRENT_LIST_DIR}/cycles.sh ${job})
        endif()
    endforeach()
    file(GLOB golden_code CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/golden/*.disasm)
    foreach(code ${golden_code})
        get_filename_component(name ${code} NAME_WE)
        smelt_add_test(golden.disasm.${name} bash ${CMAKE_CURRENT_LIST_DIR}/disasm.sh ${name})
    endforeach()
endif()
