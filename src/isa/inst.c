/* inst.c -- the tables that op.def describes */
#include "isa/inst.h"

#include <string.h>

const struct op_info op_info[N_OP] = {
#define ROW(name, ptx, cls, form, flags, space, D, S0, S1, S2, S3, doc)                            \
    [OP_##name] = {ptx, doc, form, cls, flags, space, OT_##D, {OT_##S0, OT_##S1, OT_##S2, OT_##S3}},
#include "isa/op.def"
};

const char *const sreg_name[N_SREG] = {
    "%tid.x",
    "%tid.y",
    "%tid.z",
    "%ntid.x",
    "%ntid.y",
    "%ntid.z",
    "%ctaid.x",
    "%ctaid.y",
    "%ctaid.z",
    "%nctaid.x",
    "%nctaid.y",
    "%nctaid.z",
    "%laneid",
    "%warpid",
    "%nwarpid",
    "%smid",
    "%nsmid",
    "%gridid",
    "%lanemask_eq",
    "%lanemask_le",
    "%lanemask_lt",
    "%lanemask_ge",
    "%lanemask_gt",
    "%clock",
    "%clock_hi",
    "%clock64",
    "%globaltimer",
    "%globaltimer_lo",
    "%globaltimer_hi",
    "%total_smem_size",
    "%dynamic_smem_size",
    "%pm",
    "%envreg",
};

bool isa_explain(const char *name, FILE *f)
{
    size_t n = strlen(name);
    bool found = false;

    for (u32 op = 0; op < N_OP; op++) {
        const char *s = op_info[op].name;

        if (strncmp(s, name, n) || (s[n] && s[n] != '.'))
            continue;
        fprintf(f, "%s  %s\n", s, op_info[op].doc);
        found = true;
    }
    return found;
}
