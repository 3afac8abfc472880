/*
 * The stepper: an HTML page that shows the rounds one by one.
 *
 *   view_stepper.c   the picture: the network with the messages of all rounds
 *   stepper_data.c   what the script needs beside it, as JSON
 *   stepper.html     the controls below and beside the picture
 *   stepper.css      their look, and that of past and later messages
 *   stepper*.js      the script: ECMAScript 2017 without libraries
 *
 * The last ones become lines of C text at build time.
 */
#ifndef LSI_DRAW_STEPPER_H
#define LSI_DRAW_STEPPER_H

#include "draw/draw_format.h"
#include "draw/view.h"

/* Not in the table of views: only the format html uses it. */
extern const struct lsi_draw_view lsi_draw_view_stepper;

/* Is the scene a picture of this view? */
bool lsi_scene_is_stepper(const struct lsi_scene *);

/*
 * Write the data as one JSON object.  An index counts the rounds of the subject from 0; `text` is
 * an index of `texts`, or -1.  A table is an array of its columns, [] without rows; a column is a
 * list of numbers with runs, see number_list.h.
 *
 *   first      number of the first round
 *   nodes      number of nodes
 *   labels     of the vertices; [] if they are the ranks or not to be shown; of a part by rank, as
 *              an object
 *   messages   of each round: src, dst, words, text of its blocks
 *   routes     of the pairs that are no neighbors: "src-dst": [src, .., dst]
 *   before     local moves before each round, and after the last: node, number of its moves, text;
 *              the third column has the first moves of all nodes, then the second ones, ..
 *   moves      of each round, in the same form
 *   contents   changes before each round, and after the last: node, text
 *   texts      of blocks, moves and contents; ["OUTPUT[#..#]", numbers] stands for as many texts as
 *              the list has numbers for each #
 */
void lsi_stepper_write_data(struct lsi_writer *, const struct lsi_subject *);
/* Its parts `labels` and `routes`, each with a comma before it (stepper_network.c). */
void lsi_stepper_write_labels(struct lsi_writer *, const struct lsi_subject *);
void lsi_stepper_write_routes(struct lsi_writer *, const struct lsi_subject *);
/* A string of JSON that may also stand in HTML and XML. */
void lsi_stepper_write_string(struct lsi_writer *, const char *text);

#endif
