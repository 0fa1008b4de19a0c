#!/usr/bin/env bash
# cmake/build_id.cmake: the commit and whether files differ from it; nothing outside a checkout; a
# header that would not change is not touched.
. "$SRC/tests/e2e/lib/check.bash"
command -v cmake >/dev/null && command -v git >/dev/null || exit 77

rm -rf tree outer
mkdir -p tree outer/tarball
id() { cmake -D GIT="$1" -D SOURCE="$PWD/$2" -D OUT="$PWD/$2.h" -P "$SRC/cmake/build_id.cmake" && tr '\n' ' ' <"$2.h"; }
in_git() { git -C "$1" -c user.name=t -c user.email=t@t -c init.defaultBranch=m "${@:2}" >/dev/null 2>&1; }
git=$(command -v git)
none='#define BUILD_COMMIT "" #define BUILD_IS_DIRTY false '

same "no checkout" "$(id "$git" tree)" "$none"
in_git outer init && touch outer/file && in_git outer add file && in_git outer commit -m x
same "inside another's checkout" "$(id "$git" outer/tarball)" "$none"
in_git tree init && echo a >tree/file && in_git tree add file && in_git tree commit -m x
commit=$(git -C tree rev-parse HEAD)
same "a commit" "$(id "$git" tree)" "#define BUILD_COMMIT \"$commit\" #define BUILD_IS_DIRTY false "
touch -d '2001-01-01' tree.h
same "again" "$(id "$git" tree)" "#define BUILD_COMMIT \"$commit\" #define BUILD_IS_DIRTY false "
same "not touched" "$(stat -c %Y tree.h)" "$(date -d '2001-01-01' +%s)"
touch tree/new
grep -q 'DIRTY false' <<<"$(id "$git" tree)" || failed "a file that git does not know makes it dirty"
echo b >tree/file
same "dirty" "$(id "$git" tree)" "#define BUILD_COMMIT \"$commit\" #define BUILD_IS_DIRTY true "
in_git tree commit -a -m y
same "another commit" "$(id "$git" tree)" "#define BUILD_COMMIT \"$(git -C tree rev-parse HEAD)\" #define BUILD_IS_DIRTY false "
same "no git" "$(id GIT-NOTFOUND tree)" "$none"
finish
