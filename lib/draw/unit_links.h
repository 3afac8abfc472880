/*
 * The links of one unit of a network to its other units.
 */
#ifndef LSI_DRAW_UNIT_LINKS_H
#define LSI_DRAW_UNIT_LINKS_H

#include "draw/subject.h"

/* The links to one other unit that have one number: its label in the network, see ls_link_label. */
struct lsi_unit_link {
	int64_t unit, number;
	int64_t links;
	int64_t messages; /* over them, in both directions and all steps */
	int64_t least;    /* of the numbers of the links to this unit */
};

struct lsi_unit_links {
	const ls_topology *topology;
	int64_t unit, nodes;        /* the unit, and the nodes of each one */
	struct lsi_unit_link *link; /* by least, unit, number */
	size_t n;
	int64_t units; /* that have a link to this one */
};

/* Initialize topology, unit and nodes; LS_OK or LS_ERR_MEMORY. */
int lsi_unit_links_find(struct lsi_unit_links *);
void lsi_unit_links_release(struct lsi_unit_links *);

/* Count a message over a link of a vertex, if this leaves or enters the unit. */
void lsi_unit_links_add(struct lsi_unit_links *, int64_t from, int64_t link, int64_t to);

/*
 * The label of a unit: what the labels of its nodes have in common, '*' elsewhere: "****5".  Empty:
 * it says nothing.
 */
enum { LSI_UNIT_NAME = 256 };
void lsi_unit_name(const ls_topology *, int64_t unit, int64_t nodes, char name[LSI_UNIT_NAME]);

#endif
