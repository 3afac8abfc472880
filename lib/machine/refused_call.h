/*
 * Why a call was refused: an argument is wrong, or no algorithm supports the call.  A refused call
 * does not stop the machine, because the program may try another one.  If the program returns the
 * status of its last refused call, the error of the run gives the reason.
 */
#ifndef LSI_MACHINE_REFUSED_CALL_H
#define LSI_MACHINE_REFUSED_CALL_H

#include "machine/machine_types.h"

/* Record the reason; returns status.  call: "ls_allreduce". */
int lsi_refuse_call(struct lsi_node_state *, int status, const char *call, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
/*
 * Record for the node that the calling thread is that the handle of a call is not valid (see
 * lsi_handle_is_valid); returns LS_ERR_ARGUMENT.
 */
int lsi_refuse_handle(const char *call);

#endif
