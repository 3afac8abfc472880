/*
 * lockstep reproduce: what the source documents print, computed again.
 *
 * A document has items: its tables, figures, equations, theorems and examples.  An item has claims,
 * each a figure or statement that is found again by making plans, walking or running them.
 */
#ifndef LOCKSTEP_REPRODUCE_REPRODUCE_H
#define LOCKSTEP_REPRODUCE_REPRODUCE_H

#include <lockstep.h>

enum { SEED_TEXT = 400 }; /* bytes of what is found */

/* The plans that a claim is about. */
struct seed_run {
	const char *networks; /* specs with blanks between them */
	enum ls_operation operation;
	const char *algorithm; /* NULL: the default */
	const char *against;   /* another, with which it is compared */
	enum ls_mode mode;
	int64_t root, shift;
	const char *along;              /* the messages go the routes of this network, not theirs */
	int64_t (*place)(int64_t rank); /* and of these nodes of it; NULL: of the same rank */
};

/* In hop mode; in routed mode. */
#define ON(specs, what, name) \
	{ \
		.networks = specs, .operation = what, .algorithm = name \
	}
#define ROUTED(specs, what, name) \
	{ \
		.networks = specs, .operation = what, .algorithm = name, .mode = LS_ROUTED \
	}
#define CUBES_TO_32 "hypercube:1 hypercube:2 hypercube:3 hypercube:4 hypercube:5"

struct seed_claim {
	const char *name;    /* in an item with columns: the row */
	const char *printed; /* in the source; NULL: the source leaves it out */
	const char *right;   /* what must be found; NULL: what is printed */
	const char *why;     /* the source is wrong, for this reason; NULL: it is right */
	void (*find)(const struct seed_claim *, char *found);
	struct seed_run run;
	struct ls_counts (*formula)(int64_t p, int64_t m); /* rounds and volume */
};

/* What is plain to a reader, and nothing that runs can show. */
struct seed_misprint {
	const char *printed, *right;
};

struct seed_item {
	const char *name, *title;
	const struct seed_claim *claim;
	size_t claims;
	void (*draw)(void);        /* the figure as text; NULL: there is none */
	const char *const *column; /* claims in rows of columns, NULL at the end; or NULL */
	const struct seed_misprint *misprint;
	size_t misprints;
};

struct seed_document {
	const char *name, *title;
	const struct seed_item *item;
	size_t items;
};
#define SEED_COUNT(array)  (sizeof(array) / sizeof *(array))
#define SEED_CLAIMS(array) .claim = (array), .claims = SEED_COUNT(array)
#define SEED_ITEMS(array)  .item = (array), .items = SEED_COUNT(array)

extern const struct seed_document seed_star, seed_slides, seed_prefix, seed_allgather;
extern const struct seed_document seed_broadcast;

/* claim_verdict.c */
enum seed_verdict {
	SEED_RIGHT,
	SEED_WRONG,
	SEED_ADDED,
	SEED_UNEXPLAINED,
	SEED_LEFT, /* not looked at: it does not fit here */
	SEED_VERDICTS
};
#define SEED_NOT_RUN "not run" /* what is found then begins with this */
enum seed_verdict seed_judge(const struct seed_claim *, const char *found);
const char *seed_verdict_name(enum seed_verdict);

/* claim_plan.c: plans, their messages, and runs of them. */
struct seed_plan {
	ls_topology *topology;
	ls_plan *plan;
	struct seed_run run;
};
struct seed_trace {
	struct ls_record *row;
	size_t rows, room;
	int failed; /* the run that sent them; then there are none */
};

/* The next spec of a list; false at its end. */
bool seed_next(const char **networks, char spec[static 64]);
/* False: found says why there is no plan. */
bool seed_open(const struct seed_run *, const char *spec, struct seed_plan *out, char *found);
void seed_close(struct seed_plan *);
/* As printf, behind what is there. */
void seed_add(char *found, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Messages of n elements that the plan says; and that pass the mailboxes when threads run it. */
struct seed_trace seed_walk(const struct seed_plan *, size_t n);
struct seed_trace seed_execute(
	const struct seed_plan *, size_t n, const int64_t *input, int64_t *output);
void seed_keep(void *trace, const struct ls_record *);
bool seed_same(const struct seed_trace *, const struct seed_trace *);
void seed_forget(struct seed_trace *);
struct ls_counts seed_counts(const struct seed_trace *);
/* Most messages on one directed link, of all rounds or of one. */
int64_t seed_load(const struct seed_plan *, const struct seed_trace *, int64_t round_or_0);
/* Elements that one node gives, or gets, for m. */
size_t seed_input(const struct seed_plan *, size_t m);
size_t seed_output(const struct seed_plan *, size_t m);

/* value_replay.c: what the nodes hold, by replaying a plan on values. */
struct seed_value {
	int64_t number;
	uint64_t atoms[2];
}; /* a sum; whose blocks are in it */
struct seed_message {
	int64_t src, dst, count;
	struct seed_value *value;
};
struct seed_play {
	const ls_plan *plan;
	int64_t nodes, step, round, first; /* node r contributes r + first; round: done */
	struct seed_store *store;          /* contents of the buffers */
	uint64_t (*held)[2];               /* blocks at each node */
	struct seed_message *message;      /* of the last round */
	size_t messages;
};
/* At most 128 blocks that differ: p of them, p^2 in an all-to-all. */
struct seed_play seed_play_begin(const ls_plan *, int64_t first);
bool seed_play_round(struct seed_play *); /* false: all rounds are done, and local steps */
struct seed_value seed_play_value(
	const struct seed_play *, int64_t rank, int buffer, int64_t block);
void seed_play_end(struct seed_play *);
/* "(0,2,4)" */
void seed_set_text(const uint64_t atoms[2], char *text, size_t size);

/* figure_text.c: grids of nodes and rounds. */
typedef void seed_cell(const struct seed_play *, int64_t rank, char *text);
/* A column before the first round, if it is named, and one after every so many rounds. */
void seed_draw(const struct seed_run *, int every, const char *before, seed_cell *);
void seed_cell_held(const struct seed_play *, int64_t rank, char *text);
void seed_cell_sent(const struct seed_play *, int64_t rank, char *text); /* ">4 (0)" */

/* claim_values.c: for each network of a claim. */
void seed_each(const struct seed_claim *, char *found,
	void (*look)(const struct seed_claim *, const struct seed_plan *, char *found));
const char *seed_gap(const char *found); /* between two of what is found */
void find_rounds(const struct seed_claim *, char *found);
void find_volume(const struct seed_claim *, char *found);   /* words that follow each other */
void find_schedule(const struct seed_claim *, char *found); /* "0>4 | 0>2 4>6" */
void find_loads(const struct seed_claim *, char *found);    /* most on a link, round by round */
void find_load(const struct seed_claim *, char *found);     /* of all rounds */
void find_laws(const struct seed_claim *, char *found);     /* "proved", as ls_check does */
void find_order(const struct seed_claim *, char *found);    /* what the operator must be */
void find_executed(const struct seed_claim *, char *found); /* rounds that threads take */
void find_sum(const struct seed_claim *, char *found);      /* of r + 1 at every node, on threads */
void find_sum_from_0(const struct seed_claim *, char *found);
void find_results(const struct seed_claim *, char *found);  /* of r, node by node, on threads */
void find_messages(const struct seed_claim *, char *found); /* longest, round by round */
void find_size(const struct seed_claim *, char *found);     /* nodes */
void find_degree(const struct seed_claim *, char *found);
void find_diameter(const struct seed_claim *, char *found);
void find_equation(const struct seed_claim *, char *found);       /* "exact for p = ..; m = .." */
void find_equation_parts(const struct seed_claim *, char *found); /* m = p, 5p, 64p */

/* star_sweep.c: rounds that a sweep of all nodes takes; where threads run it too, both. */
void find_swept(const struct seed_claim *, char *found);

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
void find_product_by_rows(const struct seed_claim *, char *found);
void find_product_by_columns(const struct seed_claim *, char *found);
void find_node_9(const struct seed_claim *, char *found);
void draw_product(void);

#endif
