/*
 * Schedules as the search sees them: the directed links that carry a message, round by round, and
 * who must hear of whom.
 *
 * A goal is a set of pairs (v, x): node v must hear of node x.  An operation whose data flow the
 * other way, such as reduce, has the goal of its mirror image, and its rounds run backwards:
 *
 *   all (v, root)             broadcast, scatter; backwards reduce, gather
 *   all (v, x)                all-gather, all-to-all, all-reduce, barrier; backwards reduce-scatter
 *   x <= v                    scan, exscan
 *   v = x + q                 shift
 */
#ifndef LSI_SCHEDULE_LINK_SCHEDULE_H
#define LSI_SCHEDULE_LINK_SCHEDULE_H

#include <lockstep/plan.h>

enum { LSI_FIND_NODES = 128, LSI_FIND_ROUNDS = 256, LSI_SET_WORDS = LSI_FIND_NODES / 64 };

/* ---- Sets of nodes */

struct lsi_node_set {
	uint64_t word[LSI_SET_WORDS];
};

static inline bool lsi_nodes_has(const struct lsi_node_set *set, int node)
{
	return set->word[node / 64] >> (node % 64) & 1;
}

static inline void lsi_nodes_add(struct lsi_node_set *set, int node)
{
	set->word[node / 64] |= (uint64_t)1 << (node % 64);
}

static inline void lsi_nodes_remove(struct lsi_node_set *set, int node)
{
	set->word[node / 64] &= ~((uint64_t)1 << (node % 64));
}

static inline bool lsi_nodes_is_empty(const struct lsi_node_set *set)
{
	return (set->word[0] | set->word[1]) == 0;
}

static inline struct lsi_node_set lsi_nodes_union(struct lsi_node_set a, struct lsi_node_set b)
{
	return (struct lsi_node_set){ { a.word[0] | b.word[0], a.word[1] | b.word[1] } };
}

static inline struct lsi_node_set lsi_nodes_common(struct lsi_node_set a, struct lsi_node_set b)
{
	return (struct lsi_node_set){ { a.word[0] & b.word[0], a.word[1] & b.word[1] } };
}

/* The members of a that are not in b. */
static inline struct lsi_node_set lsi_nodes_without(struct lsi_node_set a, struct lsi_node_set b)
{
	return (struct lsi_node_set){ { a.word[0] & ~b.word[0], a.word[1] & ~b.word[1] } };
}

/* The least member from `first` on; LSI_FIND_NODES: none. */
int lsi_nodes_next(const struct lsi_node_set *, int first);
/* Write the members in increasing order; returns their number. */
int64_t lsi_nodes_list(const struct lsi_node_set *, int64_t *list);

/* ---- Directed links */

struct lsi_arc {
	int from, to, link, back; /* link: its index at `from`; back: at `to` */
};

struct lsi_arcs {
	int nodes, count;
	struct lsi_arc *arc; /* by from, then link */
	int *distance;       /* of v and x: distance[v * nodes + x] */
};

/* LS_OK; LS_ERR_UNSUPPORTED: the network is too large or has switches. */
int lsi_find_check_network(const ls_topology *, struct ls_error *why_or_null);

/*
 * The links of a network without switches.  LS_OK, an error of lsi_find_check_network,
 * LS_ERR_MEMORY.  Release it in all cases.
 */
int lsi_arcs_init(struct lsi_arcs *, const ls_topology *, struct ls_error *why_or_null);
/* As lsi_arcs_init, without the distances. */
int lsi_arcs_init_links(struct lsi_arcs *, const ls_topology *, struct ls_error *why_or_null);
void lsi_arcs_fini(struct lsi_arcs *);

/* ---- Goals */

struct lsi_goal {
	struct lsi_node_set wants[LSI_FIND_NODES]; /* wants[v]: the nodes of which v must hear */
	bool backward;                             /* the rounds of the operation run backwards */
};

struct lsi_goal lsi_goal_of(const struct ls_request *, int nodes);
/* Whether two requests have the same goal on a network, if rounds may run backwards. */
bool lsi_goal_is_same(const struct ls_request *, const struct ls_request *, int nodes);

/* The pair needs no message: v == x. */
static inline bool lsi_goal_has(const struct lsi_goal *goal, int v, int x)
{
	return lsi_nodes_has(&goal->wants[v], x);
}

/* ---- Schedules */

struct lsi_link_schedule {
	const struct lsi_arcs *arcs;
	int rounds, ports;
	bool *used; /* arc a in round t = 0, 1, ..: used[t * arcs->count + a] */
};

/* Whether a schedule keeps the ports, and every node hears of all that the goal demands. */
bool lsi_schedule_reaches(const struct lsi_link_schedule *, const struct lsi_goal *);

#endif
