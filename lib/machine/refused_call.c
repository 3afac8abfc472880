#include "machine/refused_call.h"

#include <stdarg.h>
#include <stdio.h>

#include "machine/shared_threads.h"

int lsi_refuse_call(
	struct lsi_node_state *me, int status, const char *call, const char *format, ...)
{
	struct lsi_refused_call *refused = &me->refused_call;
	const int length = snprintf(refused->reason, sizeof refused->reason, "%s: ", call);
	va_list arguments;

	refused->status = status;
	va_start(arguments, format);
	vsnprintf(refused->reason + length, sizeof refused->reason - (size_t)length, format, arguments);
	va_end(arguments);
	return status;
}

int lsi_refuse_handle(const char *call)
{
	struct lsi_node_state *me = lsi_node_of_thread;

	return me ? lsi_refuse_call(me, LS_ERR_ARGUMENT, call,
			   "the handle is NULL, of another node, or of a group that was left")
			  : LS_ERR_ARGUMENT;
}
