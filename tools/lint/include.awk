# include.awk -- includes point one way.  For each file src/FOLDER/..., every quoted include and
# every "folder/file" named by a #define (SHEET_DEF and its like) must be in a folder that FOLDER
# may see.

BEGIN {
    all = "base isa ptx exec mem sm mech power conf gpu report rt nvrtc study cli"
    sees["base"] = "base"
    sees["isa"] = "base isa"
    sees["ptx"] = "base isa ptx"
    sees["exec"] = "base isa ptx exec"
    sees["mem"] = "base isa mem mech/hook.h"
    sees["sm"] = "base isa ptx exec mem sm mech/hook.h mech/list.def power/component.h power/component.def"
    sees["mech"] = "base isa ptx exec mem sm mech power/component.h"
    sees["power"] = "base ptx/front_conf.h power sm mem"
    sees["conf"] = "base isa ptx mem sm power conf"
    sees["gpu"] = "base isa ptx exec mem sm mech power conf gpu"
    sees["report"] = "base isa ptx exec mem sm mech power conf gpu report"
    sees["toolkit"] = "base toolkit"
    sees["rt"] = "base isa ptx exec mem sm mech power conf gpu report rt"
    sees["nvrtc"] = "base nvrtc"
    sees["study"] = "base isa ptx exec mem sm mech power conf gpu report study"
    sees["cli"] = all
}

function has(list, word)
{
    return index(" " list " ", " " word " ") > 0
}

function finding(what)
{
    print FILENAME ":" FNR ": " what
}

function check(path, folder)
{
    folder = path
    sub(/\/.*/, "", folder)
    if (path == "version.h" || path == "build_id.h" || path == "places.h")
        return
    if (path !~ /\//)
        finding("include by path from src/: \"" mine "/" path "\"")
    else if (!has(all, folder))
        finding("\"" path "\" is not in a folder of src/")
    else if (!has(sees[mine], folder) && !has(sees[mine], path))
        finding(mine " must not include \"" path "\" (it sees: " sees[mine] ")")
}

FNR == 1 {
    split(FILENAME, part, "/")
    mine = part[2]
    if (!has(all, mine) && mine != "toolkit")
        finding("folder src/" mine " is unknown; say in tools/lint/include.awk what it may include")
}

/^[ \t]*#[ \t]*include[ \t]*"/ || /^[ \t]*#[ \t]*define[ \t]+[A-Za-z0-9_]+[ \t]+"[a-z_]+\/[a-z0-9_]+\.(def|h|inc)"/ {
    if (has(all, mine)) {
        split($0, quoted, "\"")
        check(quoted[2])
    }
}
