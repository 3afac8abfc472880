/*
 * Changes of links in a machine that is running.  Process 0 puts them in one order:
 *
 *   process 2   wanted ---.                       .--- done: the call returns
 *   process 0              '--> link to all . all done
 *   all                              change the directory
 *
 * A request belongs to the call, which waits.  If the run ends without the communication thread,
 * the call returns, and the request belongs to the thread.
 */
#include "base/alloc.h"
#include "base/futex.h"
#include "machine/links.h"
#include "machine/processes/far_internal.h"

enum { LINK_WAITS, LINK_COMPLETE, LINK_ABANDONED };

/* A copy of a record, for another process. */
static struct lsi_link_record *link_put(struct lsi_processes *p, int process,
	enum lsi_record_kind kind, const struct lsi_link_record *from)
{
	struct lsi_link_record *record = lsi_record_put(p, process, kind, sizeof *record);

	record->u = from->u;
	record->v = from->v;
	record->up = from->up;
	record->request = from->request;
	record->process = from->process;
	record->status = from->status;
	return record;
}

/* Change the link here. */
static int make_change(struct lsi_processes *p, const struct lsi_link_record *record)
{
	if (record->process == p->number)
		((struct lsi_link_request *)(uintptr_t)record->request)->is_made = true;
	return lsi_link_change(p->machine, record->u, record->v, record->up);
}

/* Let the call of ls_link_set return, unless it has. */
static void complete(struct lsi_link_request *request, int status)
{
	request->status = status;
	if (lsi_exchange(&request->done, LINK_COMPLETE, acq_rel) == LINK_ABANDONED) /* ENDED */
		lsi_free(request);
	else
		lsi_futex_wake(&request->done, 1);
}

/* The request is complete: its memory is about to end. */
static void remove_request(struct lsi_processes *p, struct lsi_link_request *request)
{
	struct lsi_link_request **at = &p->requests;

	pthread_mutex_lock(&p->lock);
	while (*at && *at != request)
		at = &(*at)->next;
	if (*at)
		*at = request->next;
	pthread_mutex_unlock(&p->lock);
}

/* All processes have changed the link. */
static void finish_change(struct lsi_processes *p, const struct lsi_link_record *record)
{
	struct lsi_link_request *request = (struct lsi_link_request *)(uintptr_t)record->request;

	if (record->process == p->number) {
		remove_request(p, request);
		complete(request, record->status);
	} else {
		link_put(p, record->process, LSI_RECORD_LINK_DONE, record);
	}
}

/* Process 0: one process has changed the link. */
static void count_change(struct lsi_processes *p, const struct lsi_link_record *record)
{
	struct lsi_link_changes *change = &p->change;

	if (record->status < change->record.status)
		change->record.status = record->status;
	if (--change->pending == 0)
		finish_change(p, &change->record);
}

/* Process 0: the next change of the queue, when none is being made. */
static void next_change(struct lsi_processes *p)
{
	while (!p->ended && !p->closing && p->change.pending == 0 && p->change.first) {
		struct lsi_queued_link *queued = p->change.first;

		p->change.first = queued->next;
		p->change.record = queued->record;
		p->change.pending = p->count;
		lsi_free(queued);
		for (int i = 1; i < p->count; i++)
			link_put(p, i, LSI_RECORD_LINK, &p->change.record);
		count_change(p, &(struct lsi_link_record){ .status = make_change(p, &p->change.record) });
	}
}

/* Process 0: one change is made at a time, so all processes make them in one order. */
static void queue_change(struct lsi_processes *p, const struct lsi_link_record *record)
{
	struct lsi_queued_link *queued = lsi_alloc(sizeof *queued), **at = &p->change.first;

	if (!queued) {
		struct lsi_link_record refused = *record;

		refused.status = LS_ERR_MEMORY;
		finish_change(p, &refused);
		return;
	}
	*queued = (struct lsi_queued_link){ .record = *record };
	while (*at)
		at = &(*at)->next;
	*at = queued;
	next_change(p);
}

void lsi_link_wanted(struct lsi_processes *p, struct lsi_link_request *request)
{
	const struct lsi_link_record record = { .u = request->u,
		.v = request->v,
		.up = request->up,
		.request = (uint64_t)(uintptr_t)request,
		.process = p->number };

	if (p->number > 0)
		link_put(p, 0, LSI_RECORD_LINK_WANTED, &record);
	else
		queue_change(p, &record);
}

void lsi_link_arrives(struct lsi_processes *p, const struct lsi_link_record *record)
{
	if (record->head.kind == LSI_RECORD_LINK_WANTED) {
		queue_change(p, record);
	} else if (record->head.kind == LSI_RECORD_LINK) {
		const int status = make_change(p, record);

		link_put(p, 0, LSI_RECORD_LINK_DONE, record)->status = status;
	} else if (p->number == 0) {
		count_change(p, record);
		next_change(p);
	} else {
		finish_change(p, record);
	}
}

/* The run has ended.  Changes that are not made yet are made as between runs. */
void lsi_links_end(struct lsi_processes *p)
{
	pthread_mutex_lock(&p->lock);
	p->serves = false;
	while (p->requests) {
		struct lsi_link_request *request = p->requests;

		p->requests = request->next;
		complete(request, LS_OK);
	}
	pthread_mutex_unlock(&p->lock);
	while (p->change.first) {
		struct lsi_queued_link *queued = p->change.first;

		p->change.first = queued->next;
		lsi_free(queued);
	}
	p->change.pending = 0;
}

void lsi_links_abandon(struct lsi_processes *p)
{
	pthread_mutex_lock(&p->lock);
	p->serves = false;
	for (struct lsi_link_request *request = p->requests; request; request = request->next) {
		lsi_exchange(&request->done, LINK_ABANDONED, acq_rel); /* ENDED */
		lsi_futex_wake(&request->done, 1);
	}
	pthread_mutex_unlock(&p->lock);
}

/*
 * False: requests are not served.  The news are put under the lock: afterwards the end of the run
 * may complete the request, and its caller free it.
 */
static bool add_request(struct lsi_processes *p, struct lsi_link_request *request)
{
	bool serves;

	pthread_mutex_lock(&p->lock);
	serves = p->serves;
	if (serves) {
		request->next = p->requests;
		p->requests = request;
		lsi_news_put(p, &request->news);
	}
	pthread_mutex_unlock(&p->lock);
	return serves;
}

/* False: this process has not changed the link. */
static bool await_request(struct lsi_link_request *request, int *status)
{
	uint32_t done;
	bool is_made;

	while ((done = lsi_load(&request->done, acquire)) == LINK_WAITS) /* ENDED */
		lsi_futex_wait(&request->done, LINK_WAITS, 0);
	if (done == LINK_ABANDONED)
		return false;
	*status = request->status;
	is_made = request->is_made;
	lsi_free(request);
	return is_made;
}

bool lsi_processes_set_link(struct ls_machine *machine, int64_t u, int64_t v, bool up, int *status)
{
	struct lsi_processes *p = machine->processes;
	struct lsi_link_request *request = lsi_alloc_zero(1, sizeof *request);

	if (!request) {
		*status = LS_ERR_MEMORY;
		return true;
	}
	request->news.kind = LSI_NEWS_LINK;
	request->u = u;
	request->v = v;
	request->up = up;
	if (!add_request(p, request)) {
		lsi_free(request);
		return false;
	}
	return await_request(request, status);
}
