# source.awk -- rules about the text of C files: functions we do not use, and the length of
# files and functions.  Relies on our format: a function's braces stand alone in the first column.

BEGIN {
    max_file = 800
    max_function = 60
    n_banned = split("strcpy strcat sprintf vsprintf gets strtok atoi atol atof alloca rand srand",
                     banned, " ")
}

function finding(line, what)
{
    print name ":" line ": " what
}

# The line with comments, strings and character constants blanked out; in_comment carries over.
# What is in comments is gathered in `said`.
function code_of(line,    out, c, d, i, n, quote)
{
    out = ""
    said = ""
    n = length(line)
    for (i = 1; i <= n; i++) {
        c = substr(line, i, 1)
        d = substr(line, i, 2)
        if (in_comment) {
            said = said c
            if (d == "*/") {
                in_comment = 0
                i++
            }
        } else if (quote != "") {
            if (c == "\\")
                i++
            else if (c == quote)
                quote = ""
        } else if (d == "/*") {
            in_comment = 1
            i++
        } else if (d == "//") {
            said = said substr(line, i + 2)
            break
        } else if (c == "\"" || c == "'") {
            quote = c
        } else {
            out = out c
        }
    }
    return out
}

function check_banned(code,    i)
{
    for (i = 1; i <= n_banned; i++)
        if (code ~ "(^|[^A-Za-z0-9_])" banned[i] "[ ]*\\(")
            finding(FNR, banned[i] "() is banned")
}

function end_function(    n)
{
    n = FNR - open_line + 1
    if (n > max_function && !excused)
        finding(open_line, "function of " n " lines, " max_function \
                " are allowed (or a comment `Long because:`)")
    open_line = excused = 0
}

function end_file()
{
    if (name != "" && n_lines > max_file && !file_excused)
        finding(n_lines, "file of " n_lines " lines, " max_file \
                " are allowed (or a first comment `Long because:`)")
}

FNR == 1 {
    end_file()
    name = FILENAME
    in_comment = open_line = excused = file_excused = past_first_comment = 0
}

{
    n_lines = FNR
    code = code_of($0)
    if (!open_line && !in_comment && $0 == "")
        excused = 0 # that comment belonged to something else
    if (said ~ /Long because:/) {
        excused = 1
        if (!past_first_comment)
            file_excused = 1
    }
    if (said == "" && !in_comment)
        past_first_comment = 1
    if (code ~ /[^ \t]/)
        check_banned(code)
}

/^\{/ {
    open_line = FNR
}

/^\}/ {
    if (open_line)
        end_function()
    excused = 0
}

END {
    end_file()
}
