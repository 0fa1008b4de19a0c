# extract.awk -- blocks of C in a page whose first line is `/* NAME.c -- ..` or `/* NAME.def -- ..` become the
# files DIR/NAME.c and DIR/NAME.def.
#
#   awk -v dir=DIR -f extract.awk PAGE.md

/^```c$/ { fresh = 1; next }
/^```$/ { file = ""; next }
fresh {
    fresh = 0
    if (match($0, /^\/\* [a-z0-9_]+\.(c|def) --/)) {
        file = dir "/" substr($0, 4, RLENGTH - 6)
        printf "" > file
    }
}
file { print > file }
