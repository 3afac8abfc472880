/*
 * Pictures of the messages of one round, for small networks.
 */
#ifndef LOCKSTEP_REPORT_PICTURE_H
#define LOCKSTEP_REPORT_PICTURE_H

#include <lockstep.h>

#include <stdio.h>

/* Prints nothing where the network is too large for a picture. */
void picture_print(const ls_topology *, const struct ls_record *rows, size_t count, FILE *);

#endif
