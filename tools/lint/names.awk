# names.awk -- a static function's name tells what it does it to.  Of three files with a `check` none
# can be found by it, and a debugger's breakpoint stops in all: at most two files of src may have a
# static function of one name.  Relies on our format: a definition begins in the first column, and so
# does its opening brace.
#
# Hooks are named after what they are called at (a mechanism is one file): on_* of src/mech.

BEGIN {
    max_files = 2
    split("", allowed) # names that may stay in more: none
}

# The name that the line of a function's beginning declares, "" if it declares none.
function name_of(line)
{
    gsub(/(PRINTF|__attribute__) *\(+[^)]*\)+/, "", line)
    if (!match(line, /[A-Za-z_][A-Za-z0-9_]*\(/))
        return ""
    return substr(line, RSTART, RLENGTH - 1)
}

function is_free(name)
{
    return name in allowed || (FILENAME ~ /^src\/mech\// && name ~ /^on_/)
}

FNR == 1 {
    name = ""
}

/^static / {
    name = name_of($0)
    at = FILENAME ":" FNR
}

/;$/ {
    name = ""
}

/^\{/ {
    if (name != "" && !is_free(name) && !((name, FILENAME) in seen)) {
        seen[name, FILENAME] = 1
        n_file[name]++
        places[name] = places[name] " " at
    }
    name = ""
}

END {
    for (name in n_file) {
        if (n_file[name] <= max_files)
            continue
        n = split(places[name], place, " ")
        for (i = 1; i <= n; i++)
            print place[i] ": " n " files have a static " name "(): say what it does it to"
    }
}
