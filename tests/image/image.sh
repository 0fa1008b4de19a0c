#!/usr/bin/env bash
# An image has smelt, what compiles CUDA programs and what draws figures, and starts with smelt.  Needs
# root, buildah, mmdebstrap and Debian's mirror; the last is why it is in no shorter tier.
. "$SRC/tests/e2e/lib/check.bash"

rm -rf ./*
"$SRC/tools/image.sh" -b "$(dirname "$SMELT")" -o "$PWD/smelt.oci.tar" >image.txt 2>&1 || { failed "$(cat image.txt)"; finish; }
store=$(mktemp -d) # buildah's sockets have short names
trap 'rm -rf "$store"' EXIT

buildah_here()
{
    buildah --root "$store/images" --runroot "$store/run" "$@"
}

# By chroot: this machine may give nobody a network or control groups of their own.
inside()
{
    buildah_here run --isolation chroot -v "$PWD/mnt:/mnt" "$container" -- "$@" 2>err.txt
}

container=$(buildah_here from "oci-archive:$PWD/smelt.oci.tar")
same "entry point" "$(buildah_here inspect --format '{{.OCIv1.Config.Entrypoint}}' "$container")" "[smelt]"
same "working directory" "$(buildah_here inspect --format '{{.OCIv1.Config.WorkingDir}}' "$container")" /mnt
mkdir mnt
cp "$SRC"/examples/* mnt
same "version" "$(inside smelt --version | cut -d ' ' -f 2)" "$(cat "$SRC/VERSION")"
same "GPUs" "$(inside smelt list gpus)" "$("$SMELT" list gpus)"
inside smelt cc saxpy.cu -o saxpy || failed "smelt cc: $(cat err.txt)"
same "saxpy" "$(inside smelt run ./saxpy)" "mean 5"
same "sum of 1 to 1000" "$(inside smelt run vecadd.job | head -n 1)" "sum c 500500"
same "bfs" "$(inside smelt run --functional bfs --size 2000)" PASS
inside smelt sweep --vary sm.scheduler=lrr,gto vecadd.job -o out >sweep.txt || failed "sweep: $(cat err.txt)"
[ -s mnt/out/total_cycles_ratio.svg ] || failed "no picture"
finish
