# golden: results against recorded ones, each case a test of its own.
#
#   golden.job.NAME       the reference job NAME.job gives its expected results
#   golden.job_off.NAME   also with front.lower=off, and executes exactly as many instructions
#                         as the reference simulator counted
#   golden.disasm.NAME    the machine code of a small kernel is what it was (NAME.disasm here)

set(golden_jobs
    bitonic conv2d histogram kmeans matvec nbody rowdp scan sgemm_reg spmv_scalar stencil2d
    transpose_tiled ub_barrier ub_branch ub_bw_read ub_bw_write ub_chase_dram ub_chase_l1
    ub_chase_l2 ub_const ub_fma48 ub_icache ub_lat_ffma ub_lat_fp ub_lat_iadd ub_lat_int
    ub_smem_bank ub_smem_chase ub_tput)

if(TARGET smelt)
    foreach(job ${golden_jobs})
        smelt_add_test(golden.job.${job} bash ${CMAKE_CURRENT_LIST_DIR}/job.sh ${job})
        smelt_add_test(golden.job_off.${job} bash ${CMAKE_CURRENT_LIST_DIR}/job.sh ${job} off)
    endforeach()
    file(GLOB golden_code CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/golden/*.disasm)
    foreach(code ${golden_code})
        get_filename_component(name ${code} NAME_WE)
        smelt_add_test(golden.disasm.${name} bash ${CMAKE_CURRENT_LIST_DIR}/disasm.sh ${name})
    endforeach()
endif()
