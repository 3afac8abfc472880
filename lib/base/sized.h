/*
 * Public structs whose first field is `size_t size`: the size of the struct in the header with
 * which the caller was compiled.  That header may be of another version than the library.
 */
#ifndef LSI_BASE_SIZED_H
#define LSI_BASE_SIZED_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Copy a struct of the caller into a struct of the library, of `bytes` bytes, and set its size.
 * Fields that the version of the caller does not have become zero.
 *
 * Returns    false: `given` has no size, or sets fields that the library does not have
 */
bool lsi_sized_read(void *into, size_t bytes, const void *given);

/*
 * Copy a struct of the library, of `bytes` bytes, into a struct of the caller, up to the size of
 * the latter.  Its size, and fields that the library does not have, are not changed.
 */
void lsi_sized_write(void *out, const void *from, size_t bytes);

#endif
