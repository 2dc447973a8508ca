// The controller of B. Zhang and others (2015), as Lian and Liu (2020) describe it: memory alone is
// its input. Memory in use below T1 while jobs are pending is under-allocation, and the share
// rises; memory of tasks below T2 is over-allocation, and it falls. Where both hold the share
// stays: the flaw that the later paper names, a cluster that is over-allocated and then gets a
// burst of jobs.
//
// A GUESS: the later paper gives neither steps nor bounds nor the test of under-allocation, and its
// sentence on the flaw contradicts itself. Everything but the test against T2 is our reading.
#pragma once

#include "controllers/controller_entry.h"

namespace tracebed {

ControllerEntry zhang2015_entry();

}  // namespace tracebed
