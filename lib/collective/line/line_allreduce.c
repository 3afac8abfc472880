#include "collective/line/line_allreduce.h"

static int64_t middle(struct lsi_axis axis)
{
	return (axis.side + 1) / 2;
}

/* Rounds from one segment to the next. */
static int64_t segment_gap(struct lsi_axis axis)
{
	return axis.side > 2 ? 2 : 1;
}

int64_t lsi_line_allreduce_rounds(const struct lsi_problem *problem, struct lsi_axis axis)
{
	return 2 * middle(axis) - 1 + segment_gap(axis) * (problem->segments - 1);
}

struct lsi_line_position lsi_line_position_of(struct lsi_axis axis, int64_t rank)
{
	const int64_t at = lsi_axis_coordinate(axis, rank), half = middle(axis);
	const bool lower = at < half;

	return (struct lsi_line_position){ .lower = lower,
		.at = at,
		.position = lower ? at : 2 * half - 1 - at,
		.first = !lower && axis.side % 2,
		.half = half };
}

int64_t lsi_segment_at(int64_t S, int64_t gap, int64_t round, int64_t due)
{
	const int64_t late = round - due, j = late / gap;

	return late < 0 || late % gap || j >= S ? LSI_NO_SEGMENT : j;
}

struct lsi_line_action lsi_line_allreduce_action(
	const struct lsi_problem *problem, struct lsi_axis_phase phase, struct lsi_line_position s)
{
	const int64_t S = problem->segments, gap = segment_gap(phase.axis), round = phase.round;
	const int64_t turn = 2 * s.half - 2 - s.position;
	const bool has_outer = s.position > s.first;

	return (struct lsi_line_action){
		.inward_received =
			has_outer ? lsi_segment_at(S, gap, round, s.position - 1) : LSI_NO_SEGMENT,
		.inward_sent = lsi_segment_at(S, gap, round, s.position),
		.outward_received = lsi_segment_at(S, gap, round, turn),
		.outward_sent = has_outer ? lsi_segment_at(S, gap, round, turn + 1) : LSI_NO_SEGMENT,
	};
}

void lsi_line_allreduce_peers(struct lsi_axis axis, int64_t rank, struct lsi_line_position s,
	struct lsi_line_action d, struct lsi_peers *out)
{
	const int64_t inward = s.lower ? axis.stride : -axis.stride;

	if (d.inward_sent != LSI_NO_SEGMENT)
		out->to[0] = rank + inward;
	if (d.outward_received != LSI_NO_SEGMENT)
		out->from[0] = rank + inward;
	if (d.inward_received != LSI_NO_SEGMENT)
		out->from[0] = rank - inward;
	if (d.outward_sent != LSI_NO_SEGMENT)
		out->to[0] = rank - inward;
}

/* The first segment, a longest one, takes side - 1 + side mod 2 rounds; each other ends `later`. */
void lsi_line_allreduce_count(
	const struct lsi_problem *problem, int64_t side, size_t n, struct ls_counts *counts)
{
	const int64_t S = problem->segments, longest = (int64_t)lsi_cut_length(n, S, 0);
	const int64_t first = side - 1 + side % 2, later = side > 2 ? 2 : 1;
	const int64_t transfers = lsi_mul_sat(problem->nodes / side, 2 * (side - 1));

	counts->rounds += first + later * (S - 1);
	counts->messages = lsi_add_sat(counts->messages, lsi_mul_sat(transfers, S));
	counts->words = lsi_add_sat(counts->words, lsi_mul_sat(transfers, (int64_t)n));
	counts->volume = lsi_add_sat(
		counts->volume, lsi_add_sat(lsi_mul_sat(first, longest), later * ((int64_t)n - longest)));
}
