# prose.awk -- Markdown that is read as text, too: lines of prose end at column 100.  Tables, headings,
# blocks of code (fenced, or indented by four) and lines with a link may be longer.

FNR == 1 {
    in_code = 0
}

/^ *```/ {
    in_code = !in_code
    next
}

in_code || /^ *[|#]/ || /^    / || /\]\(|https?:/ {
    next
}

{
    line = $0
    gsub(/[\200-\277]/, "", line) # in the C locale a character is as wide as its first byte
    if (length(line) > 100)
        print FILENAME ":" FNR ": prose beyond column 100"
}
