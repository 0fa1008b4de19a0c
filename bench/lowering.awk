# lowering.awk -- makes a kernel of any length for bench/lowering and tests/e2e/lower_large.sh.
#
#   awk -v lines=1600 -v singles=24 -v pairs=8 -v expect=0 -f bench/lowering.awk
#
# Random code over so many variables of 32 and of 64 bits: loops within loops, branches at which
# lanes part, and at the end all variables become one number, so each of them counts.  The kernel is
# k(out), for 32 threads, thread t writes out[t]; with expect=1 these numbers are printed, one a line,
# instead of the kernel.  No value exceeds 32 bits and no product 33, so awk's numbers are exact.

function random(n) # 0 .. n-1, always the same ones
{
    seed = seed * 16807 % 2147483647
    return int(seed / 65536) % n
}

function line(s)
{
    text[++n_line] = s
}

# A statement: for run(), which computes what the lines of PTX do.
function note(o, x, y, z, w)
{
    op[++n_op] = o
    dst[n_op] = x
    a[n_op] = y
    b[n_op] = z
    c[n_op] = w
}

function multiply(d, x, y, z)
{
    line("mad.lo.u32 %t, %r" x ", %r" y ", %r" z ";")
    line("and.b32 %r" d ", %t, 65535;")
    note("multiply", d, x, y, z)
}

function widen(d, x, y)
{
    line("mad.wide.u32 %u, %r" x ", %r" y ", %q" d ";")
    line("and.b64 %q" d ", %u, 4294967295;")
    note("widen", d, x, y)
}

function narrow(d, x)
{
    line("cvt.u32.u64 %t, %q" x ";")
    line("shr.u32 %r" d ", %t, 16;")
    note("narrow", d, x)
}

function open_branch(x, y)
{
    line("setp.lt.u32 %p, %r" x ", %r" y ";")
    line("@%p bra L" ++n_label ";")
    note("branch", 0, x, y)
    kind[++depth] = "branch"
    label[depth] = n_label
    start[depth] = n_op
}

function open_loop()
{
    line("mov.u32 %c" ++n_loop ", 0;")
    line("L" ++n_label ":")
    note("loop", n_loop)
    kind[++depth] = "loop"
    label[depth] = n_label
    start[depth] = n_op
    counter[depth] = n_loop
}

function close_last()
{
    if (kind[depth] == "branch") {
        line("L" label[depth] ":")
        note("join")
        c[start[depth]] = n_op
    } else {
        line("add.u32 %c" counter[depth] ", %c" counter[depth] ", 1;")
        line("setp.lt.u32 %p, %c" counter[depth] ", 2;")
        line("@%p bra L" label[depth] ";")
        note("again", counter[depth], start[depth])
    }
    depth--
}

function statement(what)
{
    what = random(100)
    if (what < 3 && depth < 3)
        open_loop()
    else if (what < 7 && depth < 3)
        open_branch(random(singles), random(singles))
    else if (what < 13 && depth)
        close_last()
    else if (what < 25 && pairs)
        widen(random(pairs), random(singles), random(singles))
    else if (what < 30 && pairs)
        narrow(random(singles), random(pairs))
    else
        multiply(random(singles), random(singles), random(singles), random(singles))
}

function begin(i)
{
    line("mov.u32 %id, %tid.x;")
    for (i = 0; i < singles; i++)
        line("mad.lo.u32 %r" i ", %id, " (factor[i] = random(1000)) ", " (term[i] = random(30000)) ";")
    for (i = 0; i < pairs; i++)
        line("mul.wide.u32 %q" i ", %id, " (scale[i] = random(30000) * 1000) ";")
}

function end(i)
{
    line("mov.u32 %s, 0;")
    for (i = 0; i < singles + pairs; i++) {
        if (i >= singles)
            line("shr.u64 %u, %q" i - singles ", 16;\ncvt.u32.u64 %t, %u;")
        line("mad.lo.u32 %s, %s, 31, " (i < singles ? "%r" i : "%t") ";")
        line("and.b32 %s, %s, 65535;")
    }
    line("ld.param.u64 %u, [out];\nmad.wide.u32 %u, %id, 4, %u;\nst.global.u32 [%u], %s;\nret;\n}")
}

function print_kernel(i)
{
    print ".version 6.0\n.target sm_60\n.address_size 64\n.visible .entry k(.param .u64 out)\n{"
    print ".reg .pred %p;\n.reg .b32 %r<" singles ">, %c<" n_loop + 1 ">, %id, %s, %t;"
    print ".reg .b64 %q<" pairs + 1 ">, %u;"
    for (i = 1; i <= n_line; i++)
        print text[i]
}

# What thread t computes.
function run(t, i, sum)
{
    for (i = 0; i < singles; i++)
        r[i] = t * factor[i] + term[i]
    for (i = 0; i < pairs; i++)
        q[i] = t * scale[i]
    for (i = 1; i <= n_op; i++) {
        if (op[i] == "multiply")
            r[dst[i]] = (r[a[i]] * r[b[i]] + r[c[i]]) % 65536
        else if (op[i] == "widen")
            q[dst[i]] = (r[a[i]] * r[b[i]] + q[dst[i]]) % 4294967296
        else if (op[i] == "narrow")
            r[dst[i]] = int(q[a[i]] / 65536)
        else if (op[i] == "branch" && r[a[i]] < r[b[i]])
            i = c[i]
        else if (op[i] == "loop")
            count[dst[i]] = 0
        else if (op[i] == "again" && ++count[dst[i]] < 2)
            i = a[i]
    }
    for (i = 0; i < singles + pairs; i++)
        sum = (sum * 31 + (i < singles ? r[i] : int(q[i - singles] / 65536))) % 65536
    return sum
}

BEGIN {
    seed = 20240229
    begin()
    while (n_line < lines - 2 * singles - 4 * pairs - 20)
        statement()
    while (depth)
        close_last()
    end()
    if (!expect)
        print_kernel()
    for (t = 0; expect && t < 32; t++)
        print run(t)
}
