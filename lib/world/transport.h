/*
 * Transport: the calls by which processes communicate, as a plug-in or a test provides them.
 *
 * No call waits: an operation starts, and `test` reports whether it is complete.  One thread of a
 * process at a time makes calls.  Messages between two processes with the same tag arrive in the
 * order in which they were sent.  Buffers belong to the transport until the operation is complete.
 *
 * Every call that returns an int returns LS_OK, or LS_ERR_STOPPED after a failure of the transport,
 * whose text is in `failure`.
 */
#ifndef LSI_WORLD_TRANSPORT_H
#define LSI_WORLD_TRANSPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The layout below; a plug-in of another version is refused. */
enum { LSI_TRANSPORT_VERSION = 1 };
/* Tags are below LSI_TAGS, and messages have at most LSI_MESSAGE_BYTES. */
enum { LSI_TAGS = 32768, LSI_MESSAGE_BYTES = 4 << 20 };

/* One operation that has begun; the transport uses the words. */
struct lsi_transfer {
	uint64_t word[4];
	bool begun; /* false: nothing to wait for */
};

struct lsi_transport {
	size_t size;
	uint32_t version;
	int processes, process;
	const char *library; /* "Open MPI 4.1.4" */
	const char *host;
	char failure[256]; /* "MPI_ERR_TRUNCATE: message truncated" */
	void *state;       /* of the transport */

	int (*send)(
		struct lsi_transport *, int to, int tag, const void *, size_t bytes, struct lsi_transfer *);
	int (*receive)(
		struct lsi_transport *, int from, int tag, void *, size_t bytes, struct lsi_transfer *);
	/*
	 * Is there a message with the tag from any process?  Then *from and *bytes describe it, and
	 * `take` receives it into a buffer of *bytes.  *from is -1: there is none.
	 */
	int (*probe)(struct lsi_transport *, int tag, int *from, size_t *bytes);
	int (*take)(struct lsi_transport *, void *, struct lsi_transfer *);
	/* Complete operations become !begun; *done is true for them, too. */
	int (*test)(struct lsi_transport *, struct lsi_transfer *, bool *done);
	/* All processes: replace n numbers by the least, or the sum modulo 2^64, of all. */
	int (*least)(struct lsi_transport *, int64_t *, int n, struct lsi_transfer *);
	int (*sum)(struct lsi_transport *, uint64_t *, int n, struct lsi_transfer *);
	/* End all processes with an exit code, after printing the text. */
	void (*abort)(struct lsi_transport *, int code, const char *text);
	void (*close)(struct lsi_transport *);
};

/* What a plug-in exports as "lsi_transport_open": NULL and *why, or the transport. */
typedef struct lsi_transport *lsi_transport_open_function(char why[256]);

#endif
