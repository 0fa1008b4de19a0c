/*
 * proc.h -- other processes of this machine, as /proc shows them.
 *
 * A process may end while it is looked at: then it holds nothing, and is not there.
 */
#ifndef BASE_PROC_H
#define BASE_PROC_H

#include <sys/types.h>

#include "base/base.h"

/*
 * When it began, in ticks since the machine did: with the number, which is given again to others, it
 * is one process.  False if there is none, or if it has ended and nobody has asked how.
 */
bool proc_began(pid_t pid, u64 *ticks);

/* Of it and of all it has started, as long as they are its children's children: bytes resident. */
u64 proc_tree_bytes(pid_t root);
void proc_tree_kill(pid_t root, int number); /* a signal to each of them, the children first */

/* "NAME pid:[4026531836]": this machine and, since containers count anew, who counts its processes. */
char *proc_place(void); /* to be freed */
char *proc_boot(void);  /* another one after each start of the machine; to be freed */
char *proc_host(void);  /* the name alone; to be freed */

#endif
