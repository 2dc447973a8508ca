// How the running containers of a machine share its cores and its memory.
//
// A task needs CPU time and waits in between, both spread evenly over its work
// (agents/task/profile_work.h). By itself it lasts its run time, in which its own waits, its
// threads and its container's CPU quota are accounted for, and takes cpu_time / run_time cores on
// average: its demand. If the demands of all containers fit in the machine, each has it. Otherwise
// a container has the least of its demand and weight × level, where the level is such that all
// cores are taken: weighted max-min fairness, as the kernel's fair scheduler has it among control
// groups (cpu.weight). CPU time is spent in proportion to the work, so a task that has half of its
// demand is half as fast: it computes for longer, and its waits are not shortened. With waits w and
// r cores while it computes it lasts w + cpu_time / r, and its share is cpu_time over that. It
// never makes up for lost time, as its waits stay what they are.
//
// Memory beyond the machine's capacity is swapped: all tasks are slower by
// 1 + swap_cost × (used / capacity − 1), a cost that is stated and not derived.
//
// Nothing is re-timed unless its rate changes in a way of its own. Tasks with their whole demand
// end by a clock that only swapping slows; the others by a clock that also runs at the level. A
// begin or an end changes the level, and moves those between the two whose demand it passes.
//
// Approximations. Demands are averages, so tasks that compute at the same moments do not delay each
// other unless demands exceed the cores; the kernel makes up for most of that, as who has waited
// goes first. How a group's weight is split among cores is neglected. The time for which tasks wait
// for swapped pages is given to nobody.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/ids.h"
#include "core/resources.h"
#include "core/time.h"

namespace tracebed {

struct CoreDemand {
  std::int64_t milli_cores = 0;  // on average, at full speed
  std::int64_t weight = 1;       // positive; only ratios matter
  std::int64_t memory_mib = 0;
  Duration run_time{};  // that is left of it, at full speed
};

class CoreShares {
 public:
  // A capacity of zero is not known, and not shared. `swap_cost` is not negative.
  CoreShares(const Resources& capacity, double swap_cost)
      : capacity_(capacity), swap_cost_(swap_cost) {}

  // Times ascend over all calls that take them.
  void begin(ContainerId container, const CoreDemand& demand, TraceTime now);
  // It uses this memory and no cores; its work is not to continue.
  void hold(ContainerId container, std::int64_t memory_mib, TraceTime now);
  // It does not continue its work, and keeps its memory. Nothing happens if it is not working.
  void stop(ContainerId container, TraceTime now);
  // It is gone. Nothing happens if it is not there.
  void end(ContainerId container, TraceTime now);

  // Appends the containers that have done their work by now, in the order of their ids. They keep
  // their memory until end().
  void take_done(TraceTime now, std::vector<ContainerId>& done);
  // If no other begins or ends: `never` if none works.
  TraceTime next_done() const;

  // What is left of its run time at full speed, in microseconds; none if it is not there.
  std::optional<double> left(ContainerId container, TraceTime now) const;
  // When it will have done its work if no other begins or ends: `never` if it does not work.
  TraceTime done_at(ContainerId container) const;
  // Calls visit(container) for those that work.
  template <class Visitor>
  void for_each_working(Visitor&& visit) const {
    for (const Working& one : working_) visit(one.container);
  }
  // Thousandths of cores that it takes, now.
  double rate_of(ContainerId container) const;
  double rate_of_all() const;

 private:
  struct Working {
    ContainerId container;
    std::int64_t milli_cores = 0;
    std::int64_t weight = 1;
    std::int64_t memory_mib = 0;
    double done_at = 0;  // by its clock
  };
  struct Holding {
    ContainerId container;
    std::int64_t memory_mib = 0;
    double left = 0;
  };

  bool has_its_demand(std::size_t place) const { return place < satisfied_; }
  // Its place in `working_`, or their number.
  std::size_t find(ContainerId container) const;
  void move_to(TraceTime now);
  // Finds the level anew.
  void settle();
  bool level_reaches(const Working& one) const;
  void satisfy_next();
  void limit_last();
  void remove(std::size_t place);
  void change_memory(std::int64_t mib);
  double left_of(std::size_t place) const;
  // In microseconds from `since_`.
  double time_for(std::size_t place, double left) const;
  TraceTime after(double microseconds) const;

  Resources capacity_;
  double swap_cost_;
  std::vector<Working> working_;  // ascending by milli_cores / weight, then by id
  std::vector<Holding> holding_;
  std::size_t satisfied_ = 0;  // the first of `working_`, which have their demand
  std::int64_t satisfied_milli_cores_ = 0;
  std::int64_t limited_weight_ = 0;  // of the others
  std::int64_t used_memory_mib_ = 0;
  double level_ = 0;     // milli-cores for a weight of 1; of no meaning if none is limited
  double slowdown_ = 1;  // by swapping
  // What time is by `since_` for those with their demand, and for the others.
  double full_clock_ = 0;
  double level_clock_ = 0;
  TraceTime since_{};
};

}  // namespace tracebed
