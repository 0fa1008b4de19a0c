#!/usr/bin/env bash
#
# image.sh -- an OCI image of smelt: Debian 12, clang, gnuplot, make, and the package in /opt/smelt.
#
#   image.sh [-b BUILD] [-o FILE]     of build/release; to build/smelt-VERSION.oci.tar
#
# Its entry point is smelt, its working directory /mnt, where a folder of the host belongs:
#
#   podman load -i smelt-VERSION.oci.tar
#   podman run --rm -v "$PWD:/mnt" smelt:VERSION run x.ptx ..
#
# Debian comes from its mirror, by mmdebstrap.  Nothing is left in the caller's store of images.
set -euo pipefail
export LC_ALL=C

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
version=$(head -n 1 "$root/VERSION")
build=$root/build/release
out=$root/build/smelt-$version.oci.tar

die()
{
    echo "image: $*" >&2
    exit 1
}

# Run a command, showing its output only if it fails.
quietly()
{
    "$@" >"$tmp/log.txt" 2>&1 || die "$1: $(tail -n 5 "$tmp/log.txt")"
}

# What a CUDA program is built with, and what draws figures; without pages that nobody reads there.
make_debian()
{
    quietly mmdebstrap --variant=minbase --include=clang-14,gnuplot-nox,make \
        --dpkgopt='path-exclude=/usr/share/man/*' --dpkgopt='path-exclude=/usr/share/locale/*' \
        --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-include=/usr/share/doc/*/copyright' \
        bookworm "$tmp/debian.tar"
}

make_package()
{
    quietly "$root/tools/package.sh" -b "$build" -o "$tmp/smelt.tar.zst"
    mkdir -p "$tmp/files/opt" "$tmp/files/usr/local/bin"
    tar -C "$tmp/files/opt" -xf "$tmp/smelt.tar.zst"
    mv "$tmp/files/opt/smelt-$version" "$tmp/files/opt/smelt"
    ln -s ../../../opt/smelt/bin/smelt ../../../opt/smelt/lib/smelt/bin/nvcc "$tmp/files/usr/local/bin"
}

# Two layers, so that another smelt on the same Debian is a small download.
make_image()
{
    local store=(--root "$tmp/store" --runroot "$tmp/run") image
    image=$(buildah "${store[@]}" from scratch)
    quietly buildah "${store[@]}" add "$image" "$tmp/debian.tar" /
    quietly buildah "${store[@]}" commit "$image" debian
    image=$(buildah "${store[@]}" from debian)
    quietly buildah "${store[@]}" add "$image" "$tmp/files" /
    quietly buildah "${store[@]}" config --entrypoint '["smelt"]' --cmd --help --workingdir /mnt \
        --env XDG_CACHE_HOME=/tmp/cache \
        --label "org.opencontainers.image.version=$version" \
        --label org.opencontainers.image.licenses=MIT "$image"
    quietly buildah "${store[@]}" commit --disable-compression=false "$image" "oci-archive:$tmp/image:smelt:$version"
    mkdir -p "$(dirname "$out")"
    mv "$tmp/image" "$out"
}

while getopts b:o: option; do
    case $option in
    b) build=$OPTARG ;;
    o) out=$OPTARG ;;
    *) die "[-b BUILD] [-o FILE]" ;;
    esac
done
[ $# -lt $OPTIND ] || die "[-b BUILD] [-o FILE]"
missing=
for tool in buildah mmdebstrap; do
    command -v $tool >/dev/null || missing+=" $tool"
done
[ -z "$missing" ] || die "needs$missing; as root: apt-get install$missing"

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
make_debian
make_package
make_image
echo "$out: $(du -h "$out" | cut -f 1)"
