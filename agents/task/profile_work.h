// The work of a usage profile, actually performed.
//
// Memory: `memory_mib` is the size of the whole process, kernel's share included. All of it but a
// reserve of 3 MiB + 1/256 (the program itself, page tables, stacks), and of 256 KiB for each
// connection to a shuffle server, is mapped, and every page of it is written by the first thread
// before anything else, then visited in turn while burning, so that it stays resident. So a task
// whose profile is its container's limit just fits.
//
// CPU and time: each thread burns cpu_time / threads, measured by its own CPU clock (the first
// thread's includes starting the program and touching the memory), and waits for duration −
// cpu_time / threads in all, if that is positive. What touching the memory took beyond its CPU time
// counts as such a wait: its quota holds a container up that uses it all at once. Both are spread
// evenly over slices of about 10 ms: burn the slice's share, then wait for the slice's share. Hence
// without contention the task lasts max(duration, cpu_time / threads). If it gets less CPU than it
// needs (quota, contention), burning takes longer and the waits are not shortened: it lasts its
// waits plus however long the burning took, as a task that waits for disks and peers would. Waits
// that the kernel ends late are compensated by later ones, but only up to 200 us each: more than
// that is contention.
//
// Address space: what it is to map in excess of its memory is reserved and never touched, so that
// the process has that much in all; its program and stacks are within the reserve above, or taken
// off as far as they exceed it.
//
// A task that exhausts its heap touches its memory as above, and ends then.
//
// Input from HDFS is read along with the work, by the first thread: of each slice, its share of the
// input comes first. The time in which that waits for datanodes is part of the thread's waits, and
// its CPU time is the thread's. So a task whose input comes in time lasts as long as one without,
// and one whose input is slow lasts longer.
//
// Output is written to HDFS likewise, as the last of each slice's work before its wait; with the
// last slice the file is closed, and on the stop order, too.
//
// What the task keeps for tasks of later stages is written likewise, to its machine's shuffle
// server. What it fetches from tasks of earlier stages comes by threads of its own, as fast as it
// can (agents/task/task_fetch.h); each slice waits until its share has come. The CPU time of these
// threads is part of the first thread's.
//
// A held task does none of this but fetching, and uses next to no memory, until it is released; its
// duration begins then.
//
// On the stop order, every thread stops within some 10 us of burning, after the step of 2 MiB that
// it touches, or at once when it waits. The progress of its share is the smallest of what it has
// burned, waited, read, fetched and written, as parts of each whole; the progress of the task is
// the least of any thread's. So no work counts that was not done, and at most a slice of work was
// done that does not count. A task is not done before the output that it keeps is committed.
//
// Not accounted for: giving the memory back at the exit costs CPU time that is not part of cpu_time
// (about a tenth of touching it), and a memory profile whose touching alone takes more CPU time
// than the first thread's share exceeds cpu_time by the difference.
#pragma once

#include "agents/task/stated_progress.h"
#include "agents/task/stop_order.h"
#include "agents/task/task_fetch.h"
#include "agents/task/task_input.h"
#include "agents/task/task_map_output.h"
#include "agents/task/task_output.h"
#include "agents/task/task_spill.h"
#include "agents/task/work_spec.h"
#include "core/preemption.h"

namespace tracebed {

// What a task reads and writes; null: nothing.
struct TaskFiles {
  TaskInput* input = nullptr;
  TaskOutput* output = nullptr;
  TaskFetch* fetch = nullptr;
  TaskMapOutput* map_output = nullptr;
  TaskSpill* spill = nullptr;

  // Why one of them has failed; none if none has.
  std::optional<Error> failure() const;
};

// Does the work and returns when it is done or `stop` is given: how much of it is done, in
// millionths (whole_work: all), which it also states meanwhile. The error says what the machine
// refused, or, if a file has failed, why it could not be read or written.
Result<std::uint32_t> do_profile_work(const WorkSpec& spec, const StopOrder& stop,
                                      const TaskFiles& files = {});

// Maps and touches what the work would, and returns when that is done or `stop` is given.
Status fill_heap(const TaskWork& work, const StopOrder& stop);

}  // namespace tracebed
