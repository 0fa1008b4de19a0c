#!/usr/bin/env bash
# Options of nvcc that have no effect here are taken, with their values.
. "$SRC/tests/cc/lib.bash"

for option in -lineinfo --generate-line-info -src-in-ptx -restrict --restrict -rdc=true '-rdc true' \
    --relocatable-device-code=false -cudart=shared '-cudart static' -m64 --machine=64 '--machine 64' \
    -Wno-deprecated-gpu-targets -w --disable-warnings -Wreorder '--threads 4' '-t 4' -t=4 \
    '--default-stream per-thread' '-diag-suppress 177' --diag-suppress=177,550 \
    '-Xcudafe --diag_suppress=unused' -Xcudafe=--display_error_number '-Xnvlink -v' \
    '-Xarchive -v' --expt-extended-lambda --expt-relaxed-constexpr -noprof --no-align-double \
    '-Xopencc -O3' '--host-compilation c++' '-Werror all-warnings' '-e k' -err-no -nodlink \
    '-ldir /nowhere' -Wall -Wextra -Wno-unused-function -Werror -Werror=return-type -fno-exceptions \
    -march=x86-64 -pthread -rdynamic '-O 3' -O -Xptxas=-O3,-dlcm=ca '-Xptxas -abi=no' -pg \
    -fno-strict-aliasing -ftemplate-depth=99 -allow-unsupported-compiler -ewp '-Xfatbin -compress-all' \
    -Xfatbin=-compress-all --forward-unknown-to-host-compiler -dopt=on '--split-compile 0' \
    -dlto --no-compress '-time t.csv' '-target-dir x86_64-linux' --cudadevrt=none -nohdmoveforward \
    -static-global-template-stub=false --brief-diagnostics=true --compress-mode=size --m64 \
    -Wmissing-launch-bounds '-arbin ar' -no-err-no --no-exceptions '--ftemplate-depth 900'; do
    # shellcheck disable=SC2086
    works cc --dryrun $option prog.cu
    grep -q -- '-o a.out$' err.txt || failed "$option: $(cat err.txt)"
done
shows 'cuda-device-only .* -ftemplate-depth=900 ' --ftemplate-depth 900 prog.cu
shows 'cuda-host-only .* -fno-exceptions ' -noeh prog.cu
# and really, many at once
works cc -lineinfo -rdc=false -m64 -Wno-deprecated-gpu-targets --threads 2 -diag-suppress 177 \
    -Wall -Wextra -Werror -march=x86-64 -ftemplate-depth=99 -O3 prog.cu -o prog
passes ./prog
same "messages" "$(cat err.txt | grep -v ^smelt)" ""
finish
