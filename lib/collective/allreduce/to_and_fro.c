#include "collective/allreduce/to_and_fro.h"

static int64_t middle(struct ls_axis axis)
{
	return (axis.side + 1) / 2;
}

/* Rounds from one segment to the next. */
static int64_t gap(struct ls_axis axis)
{
	return axis.side > 2 ? 2 : 1;
}

int64_t ls_to_and_fro_rounds(const struct ls_problem *problem, struct ls_axis axis)
{
	return 2 * middle(axis) - 1 + gap(axis) * (problem->segments - 1);
}

struct ls_stand ls_stand(struct ls_axis axis, int64_t rank)
{
	const int64_t at = ls_axis_coordinate(axis, rank), half = middle(axis);
	const bool lower = at < half;

	return (struct ls_stand){ .lower = lower, .at = at,
		.position = lower ? at : 2 * half - 1 - at, .first = !lower && axis.side % 2,
		.half = half };
}

int64_t ls_segment_due(int64_t S, int64_t apart, int64_t round, int64_t due)
{
	const int64_t late = round - due, j = late / apart;

	return late < 0 || late % apart || j >= S ? LS_NO_SEGMENT : j;
}

struct ls_deed ls_to_and_fro(const struct ls_problem *problem, struct ls_phase phase,
	struct ls_stand s)
{
	const int64_t S = problem->segments, apart = gap(phase.axis), round = phase.round;
	const int64_t turn = 2 * s.half - 2 - s.position;
	const bool has_outer = s.position > s.first;

	return (struct ls_deed){
		.gathers = has_outer ? ls_segment_due(S, apart, round, s.position - 1) : LS_NO_SEGMENT,
		.sends = ls_segment_due(S, apart, round, s.position),
		.told = ls_segment_due(S, apart, round, turn),
		.tells = has_outer ? ls_segment_due(S, apart, round, turn + 1) : LS_NO_SEGMENT,
	};
}

void ls_to_and_fro_peers(struct ls_axis axis, int64_t rank, struct ls_stand s, struct ls_deed d,
	struct ls_peers *out)
{
	const int64_t inward = s.lower ? axis.stride : -axis.stride;

	if (d.sends != LS_NO_SEGMENT)
		out->to[0] = rank + inward;
	if (d.told != LS_NO_SEGMENT)
		out->from[0] = rank + inward;
	if (d.gathers != LS_NO_SEGMENT)
		out->from[0] = rank - inward;
	if (d.tells != LS_NO_SEGMENT)
		out->to[0] = rank - inward;
}

/* The first, so a longest, segment takes side - 1 + side mod 2 rounds; each other ends `later`. */
void ls_to_and_fro_count(const struct ls_problem *problem, int64_t side, size_t n,
	struct ls_counts *counts)
{
	const int64_t S = problem->segments, longest = (int64_t)ls_cut_length(n, S, 0);
	const int64_t first = side - 1 + side % 2, later = side > 2 ? 2 : 1;
	const int64_t transfers = ls_mul(problem->nodes / side, 2 * (side - 1));

	counts->rounds += first + later * (S - 1);
	counts->messages = ls_add(counts->messages, ls_mul(transfers, S));
	counts->words = ls_add(counts->words, ls_mul(transfers, (int64_t)n));
	counts->volume = ls_add(counts->volume,
		ls_add(ls_mul(first, longest), later * ((int64_t)n - longest)));
}
