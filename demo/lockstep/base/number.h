/*
 * Numbers as text.
 */
#ifndef LOCKSTEP_BASE_NUMBER_H
#define LOCKSTEP_BASE_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The whole text must be one decimal number of this kind that fits; otherwise false. */
bool read_int(const char *text, int64_t *out);
bool read_unsigned(const char *text, uint64_t *out);
bool read_size(const char *text, size_t *out); /* K, M, G = 1024, 1024^2, 1024^3 */
bool read_real(const char *text, double *out);

/* Three digits and a prefix; the caller appends the unit: "12.3 k". */
void rate_text(double rate, char *text, size_t size);
/* Three or four digits and the unit: "1.62 GiB". */
void bytes_text(double bytes, char *text, size_t size);

#endif
