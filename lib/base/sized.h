/*
 * Public structs whose first field is `size_t size`: their size in the header that the caller was
 * built with, which may be another version than the library's.
 */
#ifndef LSI_BASE_SIZED_H
#define LSI_BASE_SIZED_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Read a caller's struct into the library's of `bytes` bytes, whose size becomes `bytes`.  Fields
 * that the caller does not know become zero.
 *
 * Returns    false: `given` has no size, or sets fields that the library does not know
 */
bool lsi_sized_read(void *into, size_t bytes, const void *given);

/*
 * Fill a caller's struct from the library's of `bytes` bytes, as far as the caller's size goes.
 * Its size, and fields that the library does not know, stay as they are.
 */
void lsi_sized_write(void *out, const void *from, size_t bytes);

#endif
