/*
 * Lower bounds of the cost of a plan: few rounds need long messages.
 *
 * The bounds of rounds and of words give one.  A broadcast of m words has another: while the first
 * words spread, few nodes can receive, and then the last ones.  Let a plan have r rounds with
 * messages of up to l(1), .., l(r) words, over one port, and let every broadcast need b rounds.  So
 * a word leaves the root first in a round f <= F = r - b + 1.  Let w(t) be the part of the other
 * nodes that a word can reach first t rounds later, if all are reached as early as possible
 * (round_bound.h).  Let N(k) be 0 for k <= 0, else
 *
 *     N(k) = 1 + w(0) N(k) + w(1) N(k - 1) + w(2) N(k - 2) + ..
 *
 * the expected number of steps, each of t with probability w(t), that pass k - 1.  N rises.  Charge
 * a word 1 - s(f) for its first send in round f, and s(j) / (p - 1) for each arrival in round j,
 * where s(j) = 1 - N(F + 1 - j) / N(F).  As s rises, late arrivals are charged most, and a word is
 * charged at least
 *
 *     1 - s(f) + w(0) s(f) + w(1) s(f + 1) + ..  =  1 + 1 / N(F).
 *
 * In round j at most l(j) words leave the root, and (p - 1) l(j) words arrive, so all words are
 * charged at most l(1) + .. + l(r).  So the volume is at least m (1 + 1 / N(F)); over k ports, a
 * k-th of this.  Time reversal gives the same for a reduction.  (The charges solve the dual of a
 * linear program.)
 */
#ifndef LSI_COLLECTIVE_COST_BOUND_H
#define LSI_COLLECTIVE_COST_BOUND_H

#include "plan/plan_internal.h"

/*
 * For n elements, at t_s for a round and `per_element` for an element of the longest message of
 * each round; `rounds` is a lower bound.  -1: no bound of the words is known, or no memory.
 */
double lsi_cost_bound(
	const struct lsi_problem *, int64_t rounds, size_t n, double t_s, double per_element);

#endif
