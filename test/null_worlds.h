/*
 * Rows of test/null_arguments.c: worlds.
 */
#ifndef LOCKSTEP_TEST_NULL_WORLDS_H
#define LOCKSTEP_TEST_NULL_WORLDS_H

#include "null_rows.h"

static void test_worlds(void)
{
	char text[8];

	REFUSES(ls_world_open, (NULL, &why), true);
	REFUSES(ls_world_over, (NULL, &out.world, &why), !out.world);
	REFUSES(ls_world_over, (text, NULL, &why), true);
	REFUSES(ls_world_least, (NULL, NULL, 1, &why), true);
	REFUSES(ls_world_broadcast, (NULL, NULL, 1, &why), true);
	REFUSES(ls_world_gather, (NULL, NULL, text, 1, &why), true);
	REFUSES(ls_world_gather, (NULL, "", NULL, 1, &why), true);
	REFUSES(ls_world_fetch, (NULL, 0, NULL, 1, &why), true);
	GIVES(ls_world_launched, (NULL), 1);
	GIVES(ls_world_processes, (NULL), 1);
	GIVES(ls_world_process, (NULL), 0);
	GIVES(ls_world_hosts, (NULL), 1);
	GIVES(ls_world_library, (NULL)[0], '\0');
	GIVES(ls_world_plugin, (NULL)[0], '\0');
	GIVES(ls_world_host, (NULL)[0], '\0');
	GIVES(ls_first_rank, (NULL, 1, 0), LS_NO_RANK);
	ls_world_close(NULL);
	ls_world_abort(NULL, 1, NULL);
}

#endif
