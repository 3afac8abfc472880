/*
 * The table of records.  A tool that is linked with an empty one, lockstep-bare, serves for
 * comparison and to search for the records again.
 */
#include "schedule/records.h"

const struct lsi_schedule_record lsi_schedule_records[] = {
#ifndef LSI_NO_RECORDS
#include "schedule/records.inc"
#endif
	{ 0 },
};
