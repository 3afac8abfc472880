#include "support/svg_path.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { CURVE_PIECES = 24 };

struct spot on_page(const struct place *place, double x, double y)
{
	return (struct spot){ place->x + place->scale * x, place->y + place->scale * y };
}

bool read_pair(const char **at, double *x, double *y)
{
	int length = 0;

	if (sscanf(*at, " %lf,%lf%n", x, y, &length) != 2)
		return false;
	*at += length;
	return true;
}

int read_path(const char *d, const struct place *place, struct spot point[OUTLINE])
{
	double x = 0, y = 0, vx, vy, x0, y0;
	char command = '?';
	int n = 0;

	while (*d) {
		if (*d == ' ' || *d == 'z') {
			d++;
			continue;
		}
		if (isalpha((unsigned char)*d))
			command = *d++;
		x0 = x;
		y0 = y;
		if (!strchr("MLlQ", command) || (command == 'Q' && !read_pair(&d, &vx, &vy))
			|| !read_pair(&d, &x, &y) || n + (command == 'Q' ? CURVE_PIECES : 1) > OUTLINE)
			return 0;
		x += command == 'l' ? x0 : 0;
		y += command == 'l' ? y0 : 0;
		for (int i = 1; command == 'Q' && i < CURVE_PIECES; i++) {
			const double t = (double)i / CURVE_PIECES, u = 1 - t;

			point[n++] = on_page(place, u * u * x0 + 2 * u * t * vx + t * t * x,
				u * u * y0 + 2 * u * t * vy + t * t * y);
		}
		point[n++] = on_page(place, x, y);
	}
	return n;
}
