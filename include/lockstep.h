/*
 * Lockstep: a multicomputer in one process.  Umbrella header: includes the whole public API.
 */
#ifndef LOCKSTEP_H
#define LOCKSTEP_H

#include <lockstep/version.h>
#include <lockstep/status.h>
#include <lockstep/topology.h>
#include <lockstep/embedding.h>
#include <lockstep/op.h>
#include <lockstep/plan.h>
#include <lockstep/replay.h>
#include <lockstep/check.h>
#include <lockstep/cost.h>
#include <lockstep/schedule.h>
#include <lockstep/find.h>
#include <lockstep/trace.h>
#include <lockstep/draw.h>
#include <lockstep/chart.h>
#include <lockstep/machine.h>
#include <lockstep/placement.h>
#include <lockstep/node.h>
#include <lockstep/collective.h>
#include <lockstep/sweep.h>
#include <lockstep/world.h>

#endif
