/*
 * lockstep reproduce: computes the printed values of the source documents again.
 *
 * A document has items: its tables, figures, equations, theorems and examples.  An item has claims.
 * A claim is a value or a statement; making plans, counting their messages or running them checks
 * it.
 */
#ifndef LOCKSTEP_REPRODUCE_REPRODUCE_H
#define LOCKSTEP_REPRODUCE_REPRODUCE_H

#include "data/term_replay.h"

#include <lockstep.h>

enum { FOUND_SIZE = 400 }; /* bytes of a text that holds a result */

/* The plans of a claim: one for each network. */
struct claim_run {
	const char *networks; /* topology specs, separated by blanks */
	enum ls_operation operation;
	const char *algorithm; /* NULL: the default */
	const char *baseline;  /* the algorithm to compare with, or NULL */
	enum ls_mode mode;
	int64_t root, shift;
	const char *routes_of;              /* route messages on this topology; NULL: on the plan's */
	int64_t (*vertex_of)(int64_t rank); /* position of a rank on it; NULL: the rank itself */
};

#define HOP_MODE(specs, what, name) \
	{ \
		.networks = specs, .operation = what, .algorithm = name \
	}
#define ROUTED_MODE(specs, what, name) \
	{ \
		.networks = specs, .operation = what, .algorithm = name, .mode = LS_ROUTED \
	}
#define CUBES_TO_32 "hypercube:1 hypercube:2 hypercube:3 hypercube:4 hypercube:5"

struct claim {
	const char *name;     /* in an item with columns: the label of the row */
	const char *printed;  /* text of the source; NULL: the source omits the value */
	const char *expected; /* correct result; NULL: `printed` is correct */
	const char *reason;   /* explains the error of the source; NULL: the source is right */
	void (*find)(const struct claim *, char *found);
	struct claim_run run;
	struct ls_counts (*formula)(int64_t p, int64_t m); /* rounds and volume */
};

/* A printing error that a reader recognizes and that no run can show. */
struct misprint {
	const char *printed, *correction;
};

struct source_item {
	const char *name, *title;
	const struct claim *claim;
	size_t claims;
	void (*draw)(void);        /* prints the figure; NULL: the item has no figure */
	const char *const *column; /* NULL-terminated headings of a table of claims, or NULL */
	const struct misprint *misprint;
	size_t misprints;
};

struct source_document {
	const char *name, *title;
	const struct source_item *item;
	size_t items;
};
#define ARRAY_LENGTH(array) (sizeof(array) / sizeof *(array))
#define CLAIMS(array)       .claim = (array), .claims = ARRAY_LENGTH(array)
#define ITEMS(array)        .item = (array), .items = ARRAY_LENGTH(array)

extern const struct source_document source_star, source_slides, source_prefix;
extern const struct source_document source_allgather, source_broadcast;

/* verb_reproduce.c: in the order of the output, NULL at the end. */
extern const struct source_document *const source_documents[];

/* claim_verdict.c */
enum verdict {
	VERDICT_RIGHT,
	VERDICT_WRONG, /* the source is wrong, and the claim gives the reason */
	VERDICT_ADDED, /* the source omits the value */
	VERDICT_UNEXPLAINED,
	VERDICT_NOT_RUN, /* the machine lacks memory or threads */
	VERDICTS
};
#define NOT_RUN "not run" /* prefix of the result of a claim that was not run */
enum verdict compare_claim(const struct claim *, const char *found);
const char *verdict_name(enum verdict);

/* claim_plan.c: plans, their messages, and runs on threads. */
struct claim_plan {
	ls_topology *topology;
	ls_plan *plan;
	struct claim_run run;
};
struct message_trace {
	struct ls_record *row; /* in order of round */
	size_t rows, capacity;
};

/* Copy the next spec of a list; false at its end. */
bool next_spec(const char **networks, char spec[static 64]);
/* False: no such plan, and `found` holds the error. */
bool open_claim_plan(
	const struct claim_run *, const char *spec, struct claim_plan *out, char *found);
void close_claim_plan(struct claim_plan *);
/* Append to `found` as printf does. */
void append_text(char *found, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Messages of the plan for n elements, without a run. */
struct message_trace trace_plan(const struct claim_plan *, size_t n);
/* Messages that pass the mailboxes when threads run the plan. */
struct message_trace execute_plan(
	const struct claim_plan *, size_t n, const int64_t *input, int64_t *output);
/* Check the plan for one element against the laws; returns as ls_check does. */
int check_laws(const struct claim_plan *, struct ls_certificate *);
void keep_record(void *trace, const struct ls_record *);
bool traces_equal(const struct message_trace *, const struct message_trace *);
void free_trace(struct message_trace *);
struct ls_counts count_trace(const struct message_trace *);
/* Largest number of messages that one directed link carries in a round; round 0: in any round. */
int64_t max_link_load(const struct claim_plan *, const struct message_trace *, int64_t round);
/* Elements of the operand, or of the result, of one node for a count of m. */
size_t input_elements(const struct claim_plan *, size_t m);
size_t output_elements(const struct claim_plan *, size_t m);

/* origin_replay.c: replays a plan to show the blocks of operands that nodes send and hold. */
struct origins {
	uint64_t bits[2]; /* a set of numbers below 128 */
};
struct origin_replay {
	const ls_plan *plan;
	int64_t nodes, step, round; /* rounds completed */
	struct term_replay terms;   /* its messages: of the last round */
	struct origins *held;       /* the blocks that each node holds */
};
/* At most 128 different blocks: an all-to-all has p^2, every other operation p. */
struct origin_replay origin_replay_begin(const ls_plan *);
/* Replay one round and the local steps after it; false: no round is left. */
bool origin_replay_round(struct origin_replay *);
void origin_replay_end(struct origin_replay *);
/* The blocks in a message. */
struct origins origins_of_message(const struct origin_replay *, const struct term_message *);
static inline bool has_origin(struct origins origins, int i)
{
	return origins.bits[i / 64] >> i % 64 & 1;
}
/* "(0,2,4)" */
void format_origins(struct origins, char *text, size_t size);

/* figure_text.c: tables with one row per node and one column per round. */
typedef void cell_writer(const struct origin_replay *, int64_t rank, char *text);
/* Add a column after every `every` rounds, and one titled `before` first unless it is NULL. */
void draw_rounds(const struct claim_run *, int every, const char *before, cell_writer *);
void write_held_blocks(const struct origin_replay *, int64_t rank, char *text);
void write_sent_blocks(const struct origin_replay *, int64_t rank, char *text); /* ">4 (0)" */

/* claim_values.c: one value for each network of a claim. */
void for_each_plan(const struct claim *, char *found,
	void (*append)(const struct claim *, const struct claim_plan *, char *found));
const char *blank_between(const char *found); /* separates a value from those before it */
void find_rounds(const struct claim *, char *found);
void find_volume(const struct claim *, char *found);   /* sum over rounds of the longest message */
void find_schedule(const struct claim *, char *found); /* "0>4 | 0>2 4>6" */
void find_loads(const struct claim *, char *found);    /* maximum on a link, round by round */
void find_load(const struct claim *, char *found);     /* maximum over all rounds */
void find_laws(const struct claim *, char *found);     /* "proved" if ls_check proves the plan */
void find_order(const struct claim *, char *found);    /* required properties of the operator */
void find_executed(const struct claim *, char *found); /* rounds of a run on threads */
void find_sum(const struct claim *, char *found);      /* of r + 1 at every node, on threads */
void find_sum_from_0(const struct claim *, char *found);
void find_results(const struct claim *, char *found);  /* of r, node by node, on threads */
void find_messages(const struct claim *, char *found); /* longest, round by round */
void find_size(const struct claim *, char *found);     /* nodes */
void find_degree(const struct claim *, char *found);
void find_diameter(const struct claim *, char *found);
void find_equation(const struct claim *, char *found);       /* "exact for p = ..; m = .." */
void find_equation_parts(const struct claim *, char *found); /* m = p, 5p, 64p */

/* star_sweep.c: rounds of a sweep over all nodes; threads confirm it where the network is small. */
void find_sweep_rounds(const struct claim *, char *found);

/* text_formulas.c: rounds and volume, T = rounds t_s + volume t_w. */
struct ls_counts cost_log(int64_t p, int64_t m);           /* (t_s + t_w m) log p */
struct ls_counts cost_ring(int64_t p, int64_t m);          /* (t_s + t_w m)(p - 1) */
struct ls_counts cost_mesh(int64_t p, int64_t m);          /* 2 t_s (sqrt p - 1) + t_w m (p - 1) */
struct ls_counts cost_cube(int64_t p, int64_t m);          /* t_s log p + t_w m (p - 1) */
struct ls_counts cost_ring_exchange(int64_t p, int64_t m); /* (t_s + t_w m p/2)(p - 1) */
struct ls_counts cost_mesh_exchange(int64_t p, int64_t m); /* (2 t_s + t_w m p)(sqrt p - 1) */
struct ls_counts cost_cube_exchange(int64_t p, int64_t m); /* (t_s + t_w m p/2) log p */
struct ls_counts cost_step(int64_t p, int64_t m);          /* t_s + t_w m */
struct ls_counts cost_parts(int64_t p, int64_t m);         /* 2 (t_s log p + t_w (p - 1) m/p) */

/* text_example.c: a matrix times a vector, on threads. */
void find_product_by_rows(const struct claim *, char *found);
void find_product_by_columns(const struct claim *, char *found);
void find_node_9(const struct claim *, char *found);
void draw_product(void);

#endif
