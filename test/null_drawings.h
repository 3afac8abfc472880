/*
 * Rows of test/null_arguments.c: pictures.
 */
#ifndef LOCKSTEP_TEST_NULL_DRAWINGS_H
#define LOCKSTEP_TEST_NULL_DRAWINGS_H

#include "null_rows.h"

static void test_drawings(void)
{
	const struct ls_drawing drawing = { .size = sizeof drawing, .topology = ring };
	const struct ls_drawing empty = { .size = sizeof empty };

	REFUSES(ls_draw, (NULL, "svg", on_text, NULL, &why), true);
	REFUSES(ls_draw, (&empty, "svg", on_text, NULL, &why), true);
	REFUSES(ls_draw, (&drawing, "svg", NULL, NULL, &why), true);
	REFUSES(ls_draw, (&drawing, NULL, on_text, NULL, &why), true);
}

#endif
