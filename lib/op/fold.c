/*
 * Folds: left-to-right reduction of many operands, in strips that stay in the cache.
 */
#include "op/op_internal.h"

#include <string.h>

/* A strip of dst stays in the first-level cache while all parts are added to it. */
enum { STRIP_BYTES = 8192 };

static void fold_strip(
	const struct lsi_operator *c, char *dst, const char *a, size_t k, size_t stride, size_t n)
{
	if (k == 1) {
		memcpy(dst, a, n * c->size);
		return;
	}
	lsi_combine(c, dst, a, a + stride, n);
	for (size_t i = 2; i < k; i++)
		lsi_combine(c, dst, dst, a + i * stride, n);
}

void lsi_fold(
	const struct lsi_operator *c, void *dst, const void *a, size_t k, size_t stride, size_t n)
{
	const size_t strip = c->size < STRIP_BYTES ? STRIP_BYTES / c->size : 1;

	for (size_t done = 0; done < n; done += strip) {
		const size_t offset = done * c->size;

		fold_strip(c, (char *)dst + offset, (const char *)a + offset, k, stride,
			n - done < strip ? n - done : strip);
	}
}
