/*
 * The geometry of a picture.  In one part of it no link passes within 2 px of a third node.  On the
 * page no two texts overlap, no text lies on an arrow or covers a node other than the one that it
 * is in, nothing lies outside, and the contrast of every text with what is behind it is at least
 * 4.5.
 */
#ifndef LOCKSTEP_TEST_PICTURE_LINT_H
#define LOCKSTEP_TEST_PICTURE_LINT_H

#include "support/svg_picture.h"

/* CHECKs, with the text of the last guard. */
void lint_picture(const struct picture *);

#endif
