/*
 * Draw: pictures of networks, plans and traces.
 *
 * A *view* turns what is drawn into a scene: nodes, links, messages, texts and their places.  A
 * *format* prints the scene.  The same call always gives the same bytes.
 */
#ifndef LOCKSTEP_DRAW_H
#define LOCKSTEP_DRAW_H

#include <lockstep/check.h>
#include <lockstep/embedding.h>
#include <lockstep/plan.h>
#include <lockstep/trace.h>

LS_BEGIN_DECLS

enum ls_drawn_values { LS_VALUES_NONE, LS_VALUES_BLOCKS, LS_VALUES_DATA, LS_VALUES_BOTH };
enum ls_drawn_labels { LS_LABELS_BOTH, LS_LABELS_RANK, LS_LABELS_NAME, LS_LABELS_NONE };
enum ls_theme { LS_THEME_COLOR, LS_THEME_MONO, LS_THEME_DARK };
/* What runs to the right in the view timeline.  Default: time if the records have times. */
enum ls_x_axis { LS_X_AXIS_DEFAULT, LS_X_AXIS_TIME, LS_X_AXIS_ROUNDS };

/* Set size to the size of the struct, and topology.  Zero in another field selects its default. */
struct ls_drawing {
	size_t size;
	const ls_topology *topology;
	/*
	 * The messages: those of a plan, or those that passed, by round.  Without both: no messages.
	 * Records have times if one of them was sent or received after 0 ns; see struct ls_record.
	 * The plan has the nodes of the topology, or of the guest of the embedding; so have the ranks
	 * of records, whose rounds begin at 1.
	 */
	const ls_plan *plan;
	const ls_embedding *embedding; /* the plan is for its guest; the topology is its host */
	const struct ls_record *records;
	size_t n_records;
	enum ls_mode mode;               /* of the messages */
	size_t count;                    /* n, elements of a contribution; 0: 1; a barrier has none */
	const char *view;                /* of ls_draw_view_list; NULL: one that fits */
	const char *layout;              /* NULL: the default of the network */
	const double *positions;         /* x, y of each vertex in 100 px; NULL: the layout */
	int64_t first_round, last_round; /* 0: from the first, to the last; first <= last */
	enum ls_drawn_values values;
	enum ls_drawn_labels labels;
	enum ls_theme theme;
	int columns;         /* of panels; 0: as many as fit */
	double width;        /* of the page in mm, up to 10,000; 0: the drawing's, 96 px per inch */
	const char *title;   /* NULL: operation, network, root */
	const char *caption; /* NULL: algorithm, source and counts; "": none */
	const char *command; /* in the metadata: the command that makes the picture; NULL: none */
	bool standalone;     /* TikZ: a whole document */
	bool beamer;         /* TikZ: a slide for each round */
	/*
	 * The number in block `block` of the operand of node `rank`.  NULL: element e of node r is
	 * r + 1 + e.
	 */
	double (*operand)(void *context, int64_t rank, int64_t block);
	void *operand_context;
	ls_op op;              /* of the values; defined on double or int64; NULL: sum */
	enum ls_x_axis x_axis; /* LS_X_AXIS_ROUNDS: draw records with times as if they had none */
	/* [rank]: the core of each node of the topology, as ls_placement_cores; NULL: not known. */
	const int *core;
	/*
	 * Draw only some nodes, at most 1,024, with the links and messages among them.  What leads to
	 * other nodes ends in a stub with the rank of the partner.  Records are then drawn by rounds.
	 * NULL: all nodes.
	 *
	 *   "0-7,12"              ranks and ranges
	 *   "xxxx56", "1xx0"      the nodes whose labels match: x is one character of the label, or a
	 *   "(3,x)", "(2134,*)"   whole coordinate; * is any text; outer parentheses may be left out
	 */
	const char *focus;
	/*
	 * What is wrong with the messages.  Its text is added to the caption.  Marked are `node`, and
	 * in `round` the messages between it and `peer`; all messages of `node` if peer is -1; no
	 * message if round is not positive.  NULL: nothing is wrong.
	 */
	const struct ls_error *violation;
	const char *schedule; /* in the caption, the name of a list of messages; NULL: the algorithm */
	bool empty;           /* n is 0: contributions have no elements, whatever `count` is */
};

/*
 * Draw in a format of ls_draw_format_list.
 *
 * Shape      put(context, ..) receives the text in pieces; a non-zero value ends the writing.
 * Returns    LS_OK, or the value of put
 *            LS_ERR_SPEC         no such format, view, layout or focus
 *            LS_ERR_UNSUPPORTED  the drawing exceeds the limits of the view; why->text names one
 *                                that fits; or the focus has too many nodes
 *            LS_ERR_ARGUMENT     a field is out of its range, or has no effect in the view; the
 *                                plan or a record has other nodes than the network; there is no
 *                                such round; why->text names it
 *            LS_ERR_MEMORY
 */
LS_API LS_MUST_CHECK int ls_draw(const struct ls_drawing *, const char *format,
	int (*put)(void *context, const char *text), void *context, struct ls_error *why_or_null);

/* A view or a format. */
struct ls_draw_info {
	size_t size;
	const char *name;  /* "panels" */
	const char *text;  /* one line */
	const char *limit; /* of a view, as text: "16 panels, 64 nodes" */
};
/* List the views or formats.  False: index is past the last.  The caller sets out->size. */
LS_API bool ls_draw_view_list(size_t index, struct ls_draw_info *out);
LS_API bool ls_draw_format_list(size_t index, struct ls_draw_info *out);

LS_END_DECLS
#endif
