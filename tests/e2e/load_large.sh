#!/usr/bin/env bash
# Time to load a module grows with its length, not with its square or cube: these would take hours.
. "$SRC/tests/e2e/lib/check.bash"

head='.version 6.0
.target sm_60
.address_size 64'

# 10,000 functions, each of which calls the one before.
awk -v head="$head" 'BEGIN {
    print head
    for (i = 0; i < 10000; i++) {
        print ".func (.param .b32 r) f" i "(.param .b32 a) {\n.reg .b32 %r<4>;\nld.param.u32 %r1, [a];"
        if (i)
            print "{ .param .b32 x; .param .b32 y; st.param.b32 [x], %r1;\ncall (y), f" i - 1 \
                  ", (x); ld.param.b32 %r2, [y]; }"
        else
            print "mov.u32 %r2, 5;"
        print "add.u32 %r3, %r2, %r1; st.param.b32 [r], %r3; ret;\n}"
    }
    print ".visible .entry k() { .reg .b32 %r<2>; mov.u32 %r1, 1;\n{ .param .b32 x; .param .b32 y;" \
          " st.param.b32 [x], %r1; call (y), f9999, (x); }\nret; }"
}' >chain.ptx
works disasm chain.ptx
same "functions" "$(grep -c '^function f' out.txt)" 10000
grep -q '^kernel k: registers 63,' out.txt || failed "registers: $(grep '^kernel' out.txt)"

# 10,000 branches around each other: around nothing, and around a bit of work.
branches()
{
    awk -v head="$head" -v before="$1" -v work="$2" 'BEGIN {
        print head "\n.visible .entry k(.param .u64 p) {\n.reg .b32 %r<2>; .reg .b64 %d<2>; .reg .pred %p;"
        print "ld.param.u64 %d1, [p]; mov.u32 %r1, %tid.x; setp.eq.u32 %p, %r1, 5;"
        for (i = 0; i < 10000; i++)
            print before "@%p bra L" i ";"
        for (i = 9999; i >= 0; i--)
            print "L" i ": " work
        print "st.global.u32 [%d1], %r1; ret;\n}"
    }'
}
branches "" "" >nothing.ptx
works disasm nothing.ptx
same "branches that are left" "$(grep -c ' bra ' out.txt)" 0
branches "add.u32 %r1, %r1, 5; setp.eq.u32 %p, %r1, 7;" "add.u32 %r1, %r1, %r1;" >work.ptx
works disasm work.ptx
same "branches around work" "$(grep -c ' bra ' out.txt)" 9999

finish
