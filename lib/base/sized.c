#include "base/sized.h"

#include <string.h>

static size_t size_of(const void *sized)
{
	size_t size;

	memcpy(&size, sized, sizeof size);
	return size;
}

/* The caller's header may be newer: fields that the library does not know must then be zero. */
bool lsi_sized_read(void *into, size_t bytes, const void *given)
{
	const unsigned char *byte = given;
	const size_t size = size_of(given), known = size < bytes ? size : bytes;

	memset(into, 0, bytes);
	memcpy(into, given, known);
	memcpy(into, &bytes, sizeof bytes);
	for (size_t i = bytes; i < size; i++) {
		if (byte[i])
			return false;
	}
	return size >= sizeof size;
}

void lsi_sized_write(void *out, const void *from, size_t bytes)
{
	const size_t head = sizeof(size_t), size = size_of(out), known = size < bytes ? size : bytes;

	if (known > head)
		memcpy((char *)out + head, (const char *)from + head, known - head);
}
