# include.awk -- includes point one way.  For each file src/ROOM/..., every quoted include and every
# "room/file" named by a #define (SHEET_DEF and its like) must be in a room that ROOM may see.
#
# A room is a folder of src, or one within it.  Of a folder with rooms of its own (src/sm, src/ptx)
# the headers are what its rooms are made of, and the sources put them together: the headers see none
# of them, the sources see all.  The organs of an SM hand instructions to each other both ways (issue
# gives them to the datapath, write-back releases registers): their headers point one way, their
# sources may include the headers of the others.

BEGIN {
    sees["base"] = "base"
    sees["isa"] = "base isa"
    sees["ptx/parse"] = "base isa ptx/parse"
    sees["ptx"] = "base isa ptx/parse ptx"
    sees["ptx/select"] = sees["ptx"] " ptx/select"
    sees["ptx/lower"] = sees["ptx/select"] " ptx/lower"
    sees["ptx/link"] = sees["ptx/select"] " ptx/link"
    ptx = "ptx ptx/parse ptx/select ptx/lower ptx/link"
    sees["exec"] = "base isa exec " ptx
    sees["mem"] = "base isa mem"

    sees["sm"] = "base isa exec mem sm " ptx
    sees["sm/front"] = sees["sm"] " sm/front"
    sees["sm/datapath"] = sees["sm/front"] " sm/datapath"
    sees["sm/memunit"] = sees["sm/datapath"] " sm/memunit"
    sees["sm/binding"] = sees["sm/memunit"] " sm/binding"
    sm = "sm sm/front sm/datapath sm/memunit sm/binding"

    sees["mech"] = "base isa exec mem mech " ptx " " sm
    sees["power"] = "base mem power " ptx " " sm
    sees["conf"] = "base isa mem power conf " ptx " " sm
    sees["gpu"] = sees["mech"] " power conf gpu"
    sees["report"] = sees["gpu"] " report"
    sees["toolkit"] = "base toolkit"
    sees["rt"] = sees["report"] " rt"
    sees["nvrtc"] = "base nvrtc"
    sees["cc"] = "base conf cc " ptx

    sees["workload"] = "base workload"
    sees["store"] = "base store"
    sees["runs"] = sees["gpu"] " workload store runs"
    sees["cluster"] = "base runs cluster"
    sees["figure"] = "base figure"
    sees["study"] = sees["runs"] " figure study"
    sees["page"] = sees["study"] " page"
    sees["cli"] = sees["page"] " cluster report cc cli"

    # What only sources see.
    calls["ptx"] = ptx
    for (room in sees)
        if (room ~ /^sm/)
            calls[room] = sm
}

function has(list, word)
{
    return index(" " list " ", " " word " ") > 0
}

function finding(what)
{
    print FILENAME ":" FNR ": " what
}

function room_of(path)
{
    sub(/\/[^\/]*$/, "", path)
    return path
}

function check(path,    room)
{
    room = room_of(path)
    if (path == "version.h" || path == "build_id.h")
        return
    if (path !~ /\//)
        finding("include by path from src/: \"" mine "/" path "\"")
    else if (!(room in sees))
        finding("\"" path "\" is not in a room of src/")
    else if (!has(sees[mine], room) && !(is_source && has(calls[mine], room)))
        finding(mine " must not include \"" path "\" (it sees: " sees[mine] ")")
}

FNR == 1 {
    mine = room_of(substr(FILENAME, 5))
    is_source = FILENAME ~ /\.c$/
    if (!(mine in sees) && mine !~ /^toolkit\//)
        finding("room src/" mine " is unknown; say in tools/lint/include.awk what it may include")
}

/^[ \t]*#[ \t]*include[ \t]*"/ || /^[ \t]*#[ \t]*define[ \t]+[A-Za-z0-9_]+[ \t]+"[a-z_]+\/[a-z0-9_\/]+\.(def|h|inc)"/ {
    if (mine in sees && mine != "toolkit") {
        split($0, quoted, "\"")
        check(quoted[2])
    }
}
