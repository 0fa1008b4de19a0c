/*
 * cc_dlink.h -- linking device code: what cc_object.c reads and cc_dlink.c joins.
 *
 * With -rdc, clang has an object call a function __cudaRegisterLinkedBinary_ID when the program
 * starts, which the device linker is to define.  Ours joins the texts of all objects and archives
 * (ptx/link/link.h) and makes an object of them that has these functions; they hand the joined text to
 * libcudart.so, and by the hash of an object's own text it knows which part is registered
 * (rt/fatbin.h).  An object whose function another input defines has been linked already.
 */
#ifndef CC_CC_DLINK_H
#define CC_CC_DLINK_H

#include "base/text.h"
#include "cc/cc.h"

struct dlink_part {
    const char *path, *text; /* path: the object's, for messages */
    const char *function;    /* that the object calls to register it */
};

struct dlink {
    VEC(struct dlink_part) part;
    struct cc_words wanted, given; /* functions that objects call, and that inputs define */
};

/* What a file (for messages: path) has, added to d; of files that are neither object nor archive
 * nothing. */
bool cc_read_device_code(struct cc *c, struct dlink *d, const char *file, const char *path,
                         struct err *e);

#endif
