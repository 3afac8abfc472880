/*
 * What the view gantt shows beside messages and waits: steps, and shares of the time.
 */
#ifndef LOCKSTEP_TEST_GANTT_PICTURE_H
#define LOCKSTEP_TEST_GANTT_PICTURE_H

#include "support/timed_picture.h"

/* CHECKs for the trace on a network with this number of nodes. */
void check_gantt(const struct drawn_page *, const struct axis *, int64_t nodes);

#endif
