#include "machine/refused_call.h"

#include <stdarg.h>
#include <stdio.h>

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
