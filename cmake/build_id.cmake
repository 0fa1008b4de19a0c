# Writes OUT, the header behind src/base/build.c, from the git checkout SOURCE; a file that would not
# change is not touched, so that nothing is compiled again.  Without git, or where SOURCE is not the
# top of a checkout (a tarball, perhaps unpacked inside another project's), the commit is "".
set(commit "")
set(dirty false)

if(EXISTS ${SOURCE}/.git AND GIT)
    set(git ${CMAKE_COMMAND} -E env GIT_OPTIONAL_LOCKS=0 ${GIT} -C ${SOURCE})
    execute_process(COMMAND ${git} rev-parse HEAD RESULT_VARIABLE status
        OUTPUT_VARIABLE head OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    if(status EQUAL 0)
        set(commit ${head})
        execute_process(COMMAND ${git} status --porcelain --untracked-files=no
            OUTPUT_VARIABLE changes ERROR_QUIET)
        if(changes)
            set(dirty true)
        endif()
    endif()
endif()

file(CONFIGURE OUTPUT ${OUT} @ONLY CONTENT [[
#define BUILD_COMMIT "@commit@"
#define BUILD_IS_DIRTY @dirty@
]])
