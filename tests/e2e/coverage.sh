#!/usr/bin/env bash
# Coverage of a program of three files: lines that ran, a file that is lower than before.
set -euo pipefail

rm -rf src build out
mkdir -p src/one src/two build
cat >src/one/a.c <<'C'
int b(int x);
int main(int argc, char **argv)
{
    (void)argv;
    if (argc > 1)
        return b(argc);
    return 0;
}
C
printf 'int b(int x)\n{\n    x += 1;\n    return x > 2;\n}\n' >src/two/b.c
printf 'int c(int x)\n{\n    return x;\n}\n' >src/two/c.c
for f in one/a two/b two/c; do
    gcc --coverage -O0 -c -o "build/$(basename $f).o" "$PWD/src/$f.c"
done
gcc --coverage -o build/program build/*.o

expect()
{
    [ "$1" = "$2" ] || { printf 'expected:\n%s\nis:\n%s\n' "$2" "$1" && exit 1; }
}

# Nothing in two/ is called.  a.c: of lines 2, 5, 6 and 7 all but 6.
build/program
expect "$("$SRC"/tools/coverage.py build out --source src)" "3 of 9 lines, 33.3 %: out/index.html"
expect "$(cat out/coverage.txt)" "3 4 75.0 src/one/a.c
0 3 0.0 src/two/b.c
0 2 0.0 src/two/c.c"
grep -q '<b>    6</b>         return b(argc);' out/index.html
grep -q '<td><a href="#src/two">src/two</a></td><td>2</td><td>5</td><td>0</td><td>0.0 %</td>' out/index.html

# Counts of two runs are summed; all of b.c.
cp out/coverage.txt before.txt
build/program x || [ $? -eq 1 ] || exit 1
expect "$("$SRC"/tools/coverage.py build out --source src --against before.txt)" "7 of 9 lines, 77.7 %: out/index.html"
grep -q '<div>a.c <span>4 of 4, 100.0 %</span></div>' out/index.html

# Lower than before: named, and the status says so.
cp out/coverage.txt before.txt
rm build/b.gcda build/a.gcda
build/program
status=0
"$SRC"/tools/coverage.py build out --source src --against before.txt >lower.txt || status=$?
expect "$status" 1
expect "$(tail -n +2 lower.txt)" "src/one/a.c: 75.0 % of 4 lines, before 100.0 % of 4
src/two/b.c: 0.0 % of 3 lines, before 100.0 % of 3"

# What cannot be read is said.
status=0
"$SRC"/tools/coverage.py build out --source src --against src/one/a.c >wrong.txt 2>&1 || status=$?
expect "$status" 2
expect "$(cat wrong.txt)" "coverage: src/one/a.c:1: not a line of a coverage.txt: COVERED LINES PERCENT PATH"
