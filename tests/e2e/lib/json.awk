# json.awk -- is the file one JSON value?  Status 0 and no output if so, else what is wrong and where.
# The grammar of RFC 8259, by recursive descent; duplicate keys of an object are an error too.
{ text = text $0 "\n" }

function fail(what)
{
    if (!bad)
        print FILENAME ": not JSON, character " at ": " what
    bad = 1
}

function skip()
{
    while (at <= n && index(" \t\r\n", substr(text, at, 1)))
        at++
}

function take(c)
{
    skip()
    if (substr(text, at, 1) != c)
        return 0
    at++
    return 1
}

function string(    rest)
{
    skip()
    rest = substr(text, at)
    if (!match(rest, /^"([^"\\]|\\["\\\/bfnrt]|\\u[0-9a-fA-F][0-9a-fA-F][0-9a-fA-F][0-9a-fA-F])*"/)) {
        fail("a string was expected")
        return ""
    }
    at += RLENGTH
    return substr(rest, 1, RLENGTH)
}

function object(depth,    key, seen)
{
    if (take("}"))
        return
    do {
        key = string()
        if (key in seen)
            fail("twice the key " key)
        seen[key]
        if (!take(":"))
            fail("a colon was expected")
        value(depth + 1)
    } while (!bad && take(","))
    if (!take("}"))
        fail("'}' was expected")
}

function array(depth)
{
    if (take("]"))
        return
    do
        value(depth + 1)
    while (!bad && take(","))
    if (!take("]"))
        fail("']' was expected")
}

function word(    rest)
{
    rest = substr(text, at, 400)
    if (match(rest, /^(true|false|null)/) || match(rest, /^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?/))
        at += RLENGTH
    else
        fail("a value was expected")
}

function value(depth)
{
    if (bad || depth > 64)
        fail("too deep")
    else if (take("{"))
        object(depth)
    else if (take("["))
        array(depth)
    else if (substr(text, at, 1) == "\"")
        string()
    else
        word()
}

END {
    at = 1
    n = length(text)
    value(0)
    skip()
    if (!bad && at <= n)
        fail("something follows the value")
    exit bad
}
