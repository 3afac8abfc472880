#include "topology/layout.h"
#include <math.h>
static int circle(const struct ls_topology *t, struct lsi_point *place)
{
	const double n = (double)t->vertices, r = n < 3 ? 0.5 : 0.5 / sin(3.14159265358979 / n);
	for (int64_t v = 0; v < t->vertices; v++)
		place[v] = (struct lsi_point){ r * sin(6.283185307 * (double)v / n), -r * cos(6.283185307 * (double)v / n) };
	return 0;
}
static const struct lsi_layout lay = { .name = "circle", .place = circle };
const struct lsi_layout *lsi_layout_find(const struct ls_topology *t, const char *name, struct ls_error *why)
{
	(void)t; (void)name; (void)why;
	return &lay;
}
double lsi_arc_height(int64_t hops) { return 0.13 + 0.27 * (double)(hops - 1); }
#include <lockstep/topology.h>
int lsi_layout_make(const struct ls_topology *t, const char *n, struct lsi_point *place, const struct lsi_layout **layout, struct ls_error *why)
{ (void)n; (void)why; *layout = &lay; return circle(t, place); }
double lsi_layout_bend(const struct lsi_layout *l, const struct ls_topology *t, enum lsi_line k, int64_t a, int64_t b)
{ (void)l; (void)t; (void)a; (void)b; return k == LSI_LINE_LINK ? 0 : 0.13; }
struct lsi_point lsi_arc_control(struct lsi_point a, struct lsi_point b, double h)
{ double dx=b.x-a.x, dy=b.y-a.y, l=sqrt(dx*dx+dy*dy); if (l<=0) l=1;
  return (struct lsi_point){ (a.x+b.x)/2 + 2*h*dy/l, (a.y+b.y)/2 - 2*h*dx/l }; }
