#!/usr/bin/env bash
#
# package.sh -- smelt-VERSION.tar.zst: smelt for Linux machines on which it is only unpacked.
#
#   package.sh [-b BUILD] [-o FILE]     of build/release; to build/smelt-VERSION.tar.zst
#
# It has what `cmake --install` puts into a prefix, and the shared libraries which that needs and which
# are not glibc's, in lib/smelt/deps, with their licences.  So it runs in any folder, where glibc is at
# least the one of the machine that built it; clang for `smelt cc` is the host's own.  A build folder
# gives the same bytes each time.  Needs Debian, whose packages know the licences.
set -euo pipefail
export LC_ALL=C

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
name=smelt-$(head -n 1 "$root/VERSION")
build=$root/build/release
out=$root/build/$name.tar.zst

die()
{
    echo "package: $*" >&2
    exit 1
}

# README.md and what it names lie as they do in the source tree.
install_files()
{
    cmake --install "$build" --prefix "$dir" --strip >"$tmp/install.txt" 2>&1 ||
        die "cmake --install: $(tail -n 3 "$tmp/install.txt")"
    mv "$dir/share/doc/smelt" "$dir/docs"
    rmdir "$dir/share/doc"
    mv "$dir"/docs/{README.md,LICENSE,CHANGELOG.md,CITATION.cff,examples} "$dir"
}

# "NAME PATH" of the shared libraries that these files load, and that theirs do, without glibc's.
# Programs of `smelt cc` load the other libraries of the toolkit; they have a C++ library of their own.
shared_libraries()
{
    ldd "$dir/bin/smelt" "$dir"/lib/smelt/lib64/lib{cudart,nvrtc}.so >"$tmp/ldd.txt"
    ! grep -F 'not found' "$tmp/ldd.txt" >&2 || die "a shared library is missing"
    sed -nE 's/^\t([^ ]+) => (.+) \(0x[0-9a-f]+\)$/\1 \2/p' "$tmp/ldd.txt" | sort -u |
        grep -vE '^(ld-linux.*|lib(c|m|dl|rt|pthread))\.so\.[0-9]+ '
}

# Debian keeps some files below /lib, which is a link to /usr/lib, and says so.
package_of()
{
    local file
    file=$(realpath "$1")
    { dpkg-query -S "$file" || dpkg-query -S "${file#/usr}"; } 2>/dev/null | sed 's/:.*//;q'
}

copy_libraries()
{
    local library path package
    mkdir -p "$dir/lib/smelt/deps" "$dir/licenses"
    shared_libraries >"$tmp/libraries.txt"
    while read -r library path; do
        install -m 644 "$path" "$dir/lib/smelt/deps/$library"
        package=$(package_of "$path") || die "$path is of no package: its licence is not known"
        cp -L "/usr/share/doc/$package/copyright" "$dir/licenses/$package"
    done <"$tmp/libraries.txt"
}

# Licences may name texts that every Debian has, instead of having them.
copy_common_licences()
{
    local text
    { grep -rhoE '/usr/share/common-licenses/[A-Za-z]+(-[0-9.]*[0-9])?' "$dir/licenses" || true; } | sort -u |
        while read -r text; do cp -L "$text" "$dir/licenses"; done
}

oldest_glibc()
{
    find "$dir" -type f \( -name '*.so*' -o -path '*/bin/smelt' \) -exec objdump -T {} + |
        grep -oE 'GLIBC_[0-9.]+' | sort -u -V | sed -n '$s/GLIBC_//p'
}

pack()
{
    local time=${SOURCE_DATE_EPOCH:-$(git -C "$root" log -1 --format=%ct 2>/dev/null || echo 0)}
    tar -C "$tmp" --sort=name --format=gnu --mtime="@$time" --owner=root:0 --group=root:0 \
        --mode=u=rwX,go=rX -cf - "$name" | zstd -q -12 >"$tmp/package"
    mkdir -p "$(dirname "$out")"
    mv "$tmp/package" "$out"
}

while getopts b:o: option; do
    case $option in
    b) build=$OPTARG ;;
    o) out=$OPTARG ;;
    *) die "[-b BUILD] [-o FILE]" ;;
    esac
done
[ $# -lt $OPTIND ] || die "[-b BUILD] [-o FILE]"
for tool in cmake dpkg-query ldd objdump zstd; do
    command -v $tool >/dev/null || die "needs $tool"
done

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
dir=$tmp/$name
install_files
copy_libraries
copy_common_licences
pack
echo "$out: $(du -h "$out" | cut -f 1), for glibc $(oldest_glibc) or newer"
