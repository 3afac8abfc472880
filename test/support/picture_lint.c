#include "support/picture_lint.h"

#include <math.h>

#include <lockstep/topology.h>

#include "support/guard.h"
#include "support/style_sheet.h"
#include "test.h"

static const double SLACK = 0.2; /* px: coordinates are rounded */

static double distance_to_piece(struct spot a, struct spot b, struct spot at)
{
	const double dx = b.x - a.x, dy = b.y - a.y, length = dx * dx + dy * dy;
	const double t = length > 0 ? ((at.x - a.x) * dx + (at.y - a.y) * dy) / length : 0;
	const double along = fmin(1, fmax(0, t));

	return hypot(a.x + along * dx - at.x, a.y + along * dy - at.y);
}

static void test_link(const struct picture *p, const struct seen_link *link)
{
	const double least = (15 + 2) * link->scale;

	for (size_t i = 0; i < p->nodes; i++) {
		const struct seen_node *node = &p->node[i];
		double distance = INFINITY;

		if (node->part != link->part || node->node == link->src || node->node == link->dst)
			continue;
		for (int k = 1; k < link->points; k++)
			distance =
				fmin(distance, distance_to_piece(link->point[k - 1], link->point[k], node->at));
		CHECK(distance > least - 0.1, "%s: link %lld - %lld is %.1f from node %lld", guarded(),
			(long long)link->src, (long long)link->dst, distance, (long long)node->node);
	}
}

static bool overlap(struct frame a, struct frame b)
{
	return a.left + SLACK < b.right && b.left + SLACK < a.right && a.top + SLACK < b.bottom
		&& b.top + SLACK < a.bottom;
}

/* A text lies inside its node, or outside of all. */
static void test_text(const struct picture *p, const struct seen_text *text)
{
	for (size_t i = 0; i < p->nodes; i++) {
		const struct seen_node *node = &p->node[i];
		const double x = fmax(
						 0, fmax(text->frame.left - node->at.x, node->at.x - text->frame.right)),
					 y = fmax(
						 0, fmax(text->frame.top - node->at.y, node->at.y - text->frame.bottom));

		if (text->is_inside
			&& hypot(node->at.x - (text->frame.left + text->frame.right) / 2,
				   node->at.y - (text->frame.top + text->frame.bottom) / 2)
				< 1)
			continue;
		CHECK(hypot(x, y) > node->radius - 0.1, "%s: '%s' covers node %lld", guarded(), text->text,
			(long long)node->node);
	}
}

/* Is some point of the line from a to b inside the frame?  The frame cuts off what is outside. */
static bool crosses(struct frame f, struct spot a, struct spot b)
{
	const double begin[] = { a.x, a.y }, way[] = { b.x - a.x, b.y - a.y };
	const double least[] = { f.left, f.top }, most[] = { f.right, f.bottom };
	double from = 0, to = 1;

	for (int i = 0; i < 2; i++) {
		if (fabs(way[i]) < 1e-9) {
			if (begin[i] <= least[i] || begin[i] >= most[i])
				return false;
			continue;
		}

		const double one = (least[i] - begin[i]) / way[i], other = (most[i] - begin[i]) / way[i];

		from = fmax(from, fmin(one, other));
		to = fmin(to, fmax(one, other));
	}
	return from < to;
}

static bool lies_on(const struct seen_text *text, const struct seen_arrow *arrow)
{
	const struct frame f = { text->frame.left + SLACK, text->frame.top + SLACK,
		text->frame.right - SLACK, text->frame.bottom - SLACK };
	const struct seen_link *line = &arrow->line;

	if (arrow->frame.left > f.right || arrow->frame.right < f.left || arrow->frame.top > f.bottom
		|| arrow->frame.bottom < f.top)
		return false;
	for (int k = 1; k < line->points; k++) {
		if (!(arrow->is_head && k % HEAD == 0) && crosses(f, line->point[k - 1], line->point[k]))
			return true;
	}
	return false;
}

static void test_arrow(const struct picture *p, const struct seen_arrow *arrow)
{
	for (size_t i = 0; i < p->texts; i++)
		CHECK(!lies_on(&p->text[i], arrow), "%s: '%s' at %.1f,%.1f lies on an arrow", guarded(),
			p->text[i].text, p->text[i].frame.left, p->text[i].frame.top);
}

static void test_texts(const struct picture *p)
{
	for (size_t i = 0; i < p->texts; i++) {
		const struct seen_text *one = &p->text[i];

		CHECK(contrast(one->color, one->behind) >= 4.5, "%s: '%s' is %s on %s", guarded(),
			one->text, one->color, one->behind);
		test_text(p, one);
		for (size_t k = 0; k < i; k++)
			CHECK(!overlap(one->frame, p->text[k].frame), "%s: '%s' at %.1f,%.1f overlaps '%s'",
				guarded(), one->text, one->frame.left, one->frame.top, p->text[k].text);
	}
}

void lint_picture(const struct picture *p)
{
	CHECK(p->drawn.left >= 0 && p->drawn.top >= 0 && p->drawn.right <= p->page.right
			&& p->drawn.bottom <= p->page.bottom,
		"%s: drawn %.1f,%.1f .. %.1f,%.1f on a page of %.0f x %.0f", guarded(), p->drawn.left,
		p->drawn.top, p->drawn.right, p->drawn.bottom, p->page.right, p->page.bottom);
	for (size_t i = 0; i < p->links; i++)
		test_link(p, &p->link[i]);
	for (size_t i = 0; i < p->arrows; i++)
		test_arrow(p, &p->arrow[i]);
	test_texts(p);
}
