/*
 * A plan as one JSON document, written one step at a time.
 */
#include "steps/steps.h"

#include "report/document.h"
#include "steps/step_replay.h"
#include "steps/step_text.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

enum { PLACED = 1024 }; /* vertices: the most whose positions are written */

struct writer {
	struct json json;
	const struct job *job;
	const struct operands *operands;
	int64_t step;
	const ls_replay *replay; /* after the step; NULL: unknown */
	char *text;              /* of the current slice or move */
	size_t size;
	struct held_text held;
};

/* ---- Network */

static void put_label(struct json *json, const ls_topology *topology, int64_t vertex)
{
	char label[256];

	ls_label(topology, vertex, label, sizeof label);
	json_text(json, NULL, label);
}

static void put_link(struct json *json, const ls_topology *topology, int64_t from, int64_t link)
{
	const int64_t to = ls_neighbor(topology, from, link);
	char tail[24], head[24];

	/* Of parallel links the first stands for all. */
	if (to <= from || ls_link_to(topology, from, to) != link)
		return;
	snprintf(tail, sizeof tail, "%" PRId64, ls_link_label(topology, link));
	snprintf(
		head, sizeof head, "%" PRId64, ls_link_label(topology, ls_reverse(topology, from, link)));
	json_array(json, NULL);
	json_int(json, NULL, from);
	json_int(json, NULL, to);
	json_text(json, NULL, tail);
	json_text(json, NULL, head);
	json_end(json);
}

/* Where a picture has the vertices, to 0.001; null: the network is too large for a picture. */
static void put_positions(struct json *json, const ls_topology *topology)
{
	const int64_t vertices = ls_topology_vertices(topology);
	double *xy =
		vertices <= PLACED ? require_memory(calloc(2 * (size_t)vertices, sizeof *xy)) : NULL;

	if (!xy || ls_layout(topology, NULL, xy, NULL) != LS_OK) {
		json_text(json, "positions", NULL);
		free(xy);
		return;
	}
	json_array(json, "positions");
	for (int64_t u = 0; u < vertices; u++) {
		json_array(json, NULL);
		for (int i = 0; i < 2; i++)
			json_real(json, NULL, round(xy[2 * u + i] * 1000) / 1000 + 0.0); /* 0 of -0 */
		json_end(json);
	}
	json_end(json);
	free(xy);
}

static void put_topology(struct json *json, const ls_topology *topology)
{
	const int64_t vertices = ls_topology_vertices(topology);

	json_object(json, "topology");
	json_text(json, "spec", ls_topology_spec(topology));
	json_int(json, "nodes", ls_topology_nodes(topology));
	json_array(json, "labels");
	for (int64_t u = 0; u < vertices; u++)
		put_label(json, topology, u);
	json_end(json);
	json_array(json, "links");
	for (int64_t u = 0; u < vertices; u++)
		for (int64_t l = 0; l < ls_degree(topology, u); l++)
			put_link(json, topology, u, l);
	json_end(json);
	put_positions(json, topology);
	json_end(json);
}

/* ---- Plan */

static void put_embedding(struct json *json, const struct shown_plan *shown)
{
	const struct job *job = shown->job;

	if (!job->embedding) {
		json_text(json, "embedding", NULL);
		return;
	}
	json_object(json, "embedding");
	json_text(json, "guest", ls_topology_spec(job->guest));
	json_text(json, "map", map_name(shown->query, job));
	json_array(json, "ranks");
	for (int64_t rank = 0; rank < ls_topology_nodes(job->guest); rank++)
		json_int(json, NULL, host_rank_of(job, rank));
	json_end(json);
	json_end(json);
}

/* A count of which -1 means unknown. */
static void put_known(struct json *json, const char *name, int64_t count)
{
	json_int_or_null(json, name, count >= 0, count);
}

static void put_plan(struct json *json, const struct shown_plan *shown)
{
	const struct job *job = shown->job;
	const struct ls_counts counts = ls_plan_predict(job->plan, job->request.count);

	json_object(json, "plan");
	json_text(json, "operation", ls_operation_name(job->request.operation));
	json_text(json, "algorithm", job->name);
	json_text(json, "source", job->info.source);
	json_text(json, "claim", claim_text(ls_plan_claim(job->plan)));
	json_text(json, "mode", mode_text(job->mode));
	json_int(json, "ports", job->request.ports ? job->request.ports : 1);
	json_int(json, "root", job->request.root);
	json_int(json, "shift", job->request.shift);
	json_int(json, "elements", (int64_t)job->request.count);
	json_int(json, "rounds", counts.rounds);
	json_int(json, "messages", counts.messages);
	json_int(json, "words", job_words(job, counts.words));
	put_known(json, "max_link_load", host_link_load(job));
	put_known(json, "bound", job_lower_bound(job));
	put_known(json, "words_bound", ls_plan_words_bound(job->plan, job->request.count));
	put_embedding(json, shown);
	json_end(json);
}

/* ---- Steps */

/* Enough room for slices with this many blocks: ",2^62..2^62" each at most, and the buffers. */
static void make_room(struct writer *writer, int64_t blocks)
{
	const size_t needed = 64 + 44 * (size_t)blocks;

	if (needed <= writer->size)
		return;
	writer->size = 2 * needed;
	writer->text = require_memory(realloc(writer->text, writer->size));
}

static void put_move(struct writer *writer, const struct ls_move *move)
{
	int64_t blocks = ls_slice_blocks(&move->dst) + ls_slice_blocks(&move->a);

	if (move->action == LS_COMBINE)
		blocks += ls_slice_blocks(&move->b);
	make_room(writer, blocks);
	move_text(writer->job->plan, move, writer->size, writer->text, writer->size);
	json_text(&writer->json, NULL, writer->text);
}

/* What the node has in the buffer of its result so far; parts of a vector may be many. */
static void put_result(struct writer *writer, int64_t rank, const struct ls_step *what)
{
	const int buffer = result_buffer(what);
	char name[24], text[400];

	buffer_text(buffer, name, sizeof name);
	json_text(&writer->json, "buffer", name);
	json_text(&writer->json, "holds",
		held_in_buffer(writer->job, writer->replay, rank, buffer, text, sizeof text));
}

/* What the blocks hold that each move wrote. */
static void put_written(struct writer *writer, int64_t rank, const struct ls_step *what)
{
	json_array(&writer->json, "written");
	for (int i = 0; i < what->n_moves; i++)
		json_text(&writer->json, NULL,
			held_by_slice(writer->job, writer->replay, rank, &what->move[i].dst, &writer->held));
	json_end(&writer->json);
}

/* The nodes that move something in a step. */
static void put_moves(struct writer *writer)
{
	struct json *json = &writer->json;

	json_array(json, "after");
	for (int64_t rank = 0; rank < ls_topology_nodes(writer->job->topology); rank++) {
		struct ls_step what;

		host_step(writer->job, rank, writer->step, &what);
		if (what.n_moves == 0)
			continue;
		json_object(json, NULL);
		json_int(json, "node", rank);
		put_result(writer, rank, &what);
		json_array(json, "moves");
		for (int i = 0; i < what.n_moves; i++)
			put_move(writer, &what.move[i]);
		json_end(json);
		put_written(writer, rank, &what);
		json_end(json);
	}
	json_end(json);
}

static int put_load(void *context, const struct ls_link_load *load)
{
	struct json *json = context;

	json_array(json, NULL);
	json_int(json, NULL, load->from);
	json_int(json, NULL, load->to);
	json_int(json, NULL, load->messages);
	json_int(json, NULL, load->words);
	json_end(json);
	return 0;
}

static void put_route(struct json *json, const ls_topology *topology, const struct ls_record *row)
{
	json_array(json, "route");
	json_int(json, NULL, row->src);
	for (int64_t at = row->src; at != row->dst; json_int(json, NULL, at))
		at = ls_neighbor(topology, at, ls_first_hop(topology, at, row->dst));
	json_end(json);
}

static void put_number(struct json *json, const struct element *element, struct value value)
{
	char digits[24];

	if (element->class == CLASS_REAL) {
		json_real(json, NULL, value.re);
		return;
	}
	snprintf(
		digits, sizeof digits, element->class == CLASS_SIGNED ? "%" PRId64 : "%" PRIu64, value.i);
	json_number(json, NULL, digits);
}

/* Complex numbers and pairs are lists of two. */
static void put_value(struct json *json, const struct element *element, struct value value)
{
	if (element->class == CLASS_COMPLEX) {
		json_array(json, NULL);
		json_real(json, NULL, value.re);
		json_real(json, NULL, value.im);
		json_end(json);
	} else if (element->pair) {
		json_array(json, NULL);
		put_number(json, element, value);
		json_int(json, NULL, value.index);
		json_end(json);
	} else {
		put_number(json, element, value);
	}
}

static void put_values(struct writer *writer, int64_t src, const struct ls_slice *slice)
{
	struct json *json = &writer->json;

	if (!writer->replay) {
		json_text(json, "value", NULL);
		return;
	}
	json_array(json, "value");
	for (int64_t k = 0; k < ls_slice_blocks(slice); k++) {
		struct value value;

		if (value_of_block(
				writer->job, writer->replay, src, slice->buffer, ls_slice_at(slice, k), &value))
			put_value(json, &writer->operands->element, value);
		else
			json_text(json, NULL, NULL);
	}
	json_end(json);
}

/* The sender still holds what it sent: no move of a round writes a block that is sent in it. */
static void put_contents(struct writer *writer, const struct ls_record *row)
{
	struct ls_step step;
	int q = 0;

	host_step(writer->job, row->src, writer->step, &step);
	while (step.to[q] != row->dst)
		q++;
	make_room(writer, ls_slice_blocks(&step.send[q]));
	slice_text(writer->job->plan, &step.send[q], writer->text, writer->size);
	json_text(&writer->json, "blocks", writer->text);
	json_text(&writer->json, "holds",
		held_by_slice(writer->job, writer->replay, row->src, &step.send[q], &writer->held));
	put_values(writer, row->src, &step.send[q]);
}

static int put_message(void *context, const struct ls_record *row)
{
	struct writer *writer = context;
	const ls_topology *topology = writer->job->topology;
	struct json *json = &writer->json;

	json_object(json, NULL);
	json_int(json, "src", row->src);
	json_int(json, "dst", row->dst);
	json_int(json, "words", (int64_t)row->words);
	put_contents(writer, row);
	json_int(json, "link", ls_link_label(topology, ls_first_hop(topology, row->src, row->dst)));
	if (writer->job->mode == LS_ROUTED)
		put_route(json, topology, row);
	else
		json_text(json, "route", NULL);
	json_end(json);
	return EXIT_SUCCESS;
}

/* Exit code: there may be no memory for the loads. */
static int put_loads(struct writer *writer)
{
	const struct job *job = writer->job;
	struct json *json = &writer->json;
	int status = LS_OK;

	json_array(json, "loads");
	if (!ls_plan_is_local(job->plan, writer->step))
		status = ls_plan_link_loads(
			job->plan, job->embedding, writer->step, job->request.count, put_load, json);
	json_end(json);
	if (status == LS_OK)
		return EXIT_SUCCESS;
	return print_error(EXIT_RESOURCE, "no memory for the loads of links; try a smaller network");
}

static int put_step(void *context, int64_t step, const ls_replay *replay)
{
	struct writer *writer = context;
	const struct job *job = writer->job;
	struct json *json = &writer->json;
	const int64_t round = ls_plan_round(job->plan, step);
	char phase[300];
	int failed;

	writer->step = step;
	writer->replay = replay;
	json_object(json, NULL);
	put_known(json, "round", round > 0 ? round : -1);
	json_text(json, "phase", part_text(job, step, phase, sizeof phase) ? phase : NULL);
	json_array(json, "messages");
	host_trace_step(job, step, put_message, writer);
	json_end(json);
	failed = put_loads(writer);
	put_moves(writer);
	json_end(json);
	return failed;
}

int write_steps_json(const struct output *output, const void *document)
{
	const struct shown_plan *shown = document;
	const struct operands operands = operands_of(shown->query, &shown->job->request, NULL);
	struct writer writer = {
		.json = document_begin(output), .job = shown->job, .operands = &operands
	};
	int failed;

	put_topology(&writer.json, shown->job->topology);
	put_plan(&writer.json, shown);
	json_array(&writer.json, "steps");
	failed = replay_steps(shown->job, &operands, put_step, &writer);
	while (writer.json.depth > 0)
		json_end(&writer.json);
	free(writer.text);
	free(writer.held.text);
	return failed;
}
