// The work of a usage profile, actually performed.
//
// Memory: `memory_mib` is the size of the whole process, kernel's share included. All of it but a
// reserve of 2 MiB + 1/256 (the program itself, page tables, stacks) is mapped and every page of it
// written before anything else, then visited in turn while burning, so that it stays resident. So a
// task whose profile is its container's limit just fits.
//
// CPU and time: each thread burns cpu_time / threads, measured by its own CPU clock (the first
// thread's includes starting the program and touching the memory), and waits for duration −
// cpu_time / threads in all, if that is positive. Both are spread evenly over slices of about 10
// ms: burn the slice's share, then wait for the slice's share. Hence without contention the task
// lasts max(duration, cpu_time / threads). If it gets less CPU than it needs (quota, contention),
// burning takes longer and the waits are not shortened: it lasts its waits plus however long the
// burning took, as a task that waits for disks and peers would. Waits that the kernel ends late are
// compensated by later ones, but only up to 200 us each: more than that is contention.
//
// Address space: what it is to map in excess of its memory is reserved and never touched, so that
// the process has that much in all; its program and stacks are within the reserve above.
//
// A task that exhausts its heap touches its memory as above, and ends then.
//
// A held task does none of this, and uses next to no memory, until it is released; its duration
// begins then.
//
// On the stop order, every thread stops within some 10 us of burning or at once when it waits. The
// progress of its share is the smaller of what it has burned and what it has waited, as parts of
// either whole; the progress of the task is the least of any thread's. So no work counts that was
// not done, and at most a slice of work was done that does not count.
//
// Not accounted for: giving the memory back at the exit costs CPU time that is not part of cpu_time
// (about a tenth of touching it), and a memory profile whose touching alone takes more CPU time
// than the first thread's share exceeds cpu_time by the difference.
#pragma once

#include "agents/task/stop_order.h"
#include "agents/task/work_spec.h"
#include "core/preemption.h"

namespace tracebed {

// Does the work and returns when it is done or `stop` is given: how much of it is done, in
// millionths (whole_work: all). The error says what the machine refused.
Result<std::uint32_t> do_profile_work(const WorkSpec& spec, const StopOrder& stop);

// Maps and touches what the work would, and returns when that is done or `stop` is given.
Status fill_heap(const TaskWork& work, const StopOrder& stop);

}  // namespace tracebed
