#include <lockstep/machine.h>

const char *ls_engine_name(enum ls_engine engine)
{
	static const char *const name[] = { "auto", "threads", "cooperative" };

	return name[engine];
}

enum ls_engine ls_engine_for(const ls_machine *machine, enum ls_operation operation, size_t bytes,
	const char **why)
{
	(void)machine;
	(void)operation;
	(void)bytes;
	if (why)
		*why = "the only engine";
	return LS_THREADS;
}
