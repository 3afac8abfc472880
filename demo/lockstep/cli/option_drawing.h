/*
 * The options of pictures.  Exit codes.
 */
#ifndef LOCKSTEP_CLI_OPTION_DRAWING_H
#define LOCKSTEP_CLI_OPTION_DRAWING_H

#include "cli/options.h"

int set_drawing_step(struct options *, const char *value);
int set_drawing_values(struct options *, const char *value);
int set_drawing_labels(struct options *, const char *value);
int set_drawing_theme(struct options *, const char *value);
int set_drawing_x_axis(struct options *, const char *value);
int set_drawing_columns(struct options *, const char *value);
int set_drawing_caption(struct options *, const char *value);
int set_drawing_width(struct options *, const char *value);

#endif
