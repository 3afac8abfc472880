/*
 * What the table of records and their text share.
 */
#ifndef LSI_SCHEDULE_RECORD_TEXT_H
#define LSI_SCHEDULE_RECORD_TEXT_H

#include "schedule/records.h"

/* The checksum of the links of a graph; 0: another network. */
uint64_t lsi_record_edges(const struct ls_topology *);

/* The function that identifies lists of records among the objects of a topology. */
extern lsi_make_kept *const lsi_record_list_key;

#endif
