// Samples a run at intervals of trace time: what its queues use, how long they starve, which jobs
// wait for their first container and why, and what nodes were compared for a placement. How often
// does not depend on the number of rounds, so that fast runs stay fast.
#pragma once

#include <map>
#include <vector>

#include "coordinator/engine/engine.h"
#include "coordinator/monitoring/choice_sampler.h"
#include "coordinator/monitoring/starvation_monitor.h"
#include "core/names.h"
#include "report/queue_page.h"
#include "report/queue_series.h"
#include "report/run_description.h"
#include "report/waiting_jobs.h"

namespace tracebed {

class RunSampler {
 public:
  // `engine` and `names` outlive this; `dimensions` are those of the run. The first samples are
  // spaced so that some two hundred of them reach to `last_submit`.
  RunSampler(Engine& engine, const Names& names, const ResourceDimensions& dimensions,
             TraceTime last_submit);

  // After every round.
  void after_round(TraceTime now) {
    if (now >= next_) {
      look(now);
    } else if (now == last_look_) {
      // Rows of what began and ended at that time leave no difference between its rounds.
      look_at_queues(now, engine_.scheduler().view(engine_.cluster()));
    }
    shares_.after_round(now);
  }

  // Those that wait now, longest first, at most as many as a sample includes.
  std::vector<WaitingJob> waiting_now(TraceTime now) const;

  const QueueSeries& queues() const { return queues_.series(); }
  WaitingJobs waiting() const;
  const std::vector<SampledChoice>& choices() const { return choices_.choices(); }
  // Fills in what was sampled, of a run that ended at `at`.
  void describe(TraceTime at, RunEnd& end) const {
    end.waiting = waiting();
    end.choices = choices();
    end.queue_page = page_.page();
    end.starvation = shares_.figures(at);
  }

 private:
  static constexpr std::size_t looked_at_max = 10;  // jobs
  static constexpr std::size_t kept_max = 200;      // jobs

  void look(TraceTime now);
  void look_at_queues(TraceTime now, const SchedulerView& view);
  void keep(const WaitingJob& job);

  Engine& engine_;
  const Names& names_;
  ResourceDimensions dimensions_;
  TraceTime next_{};
  TraceTime last_look_ = never;
  QueueSeriesBuilder queues_;
  BusiestQueuePage page_;
  StarvationMonitor shares_;
  ChoiceSampler choices_;
  Duration interval_;
  std::map<std::string, std::uint64_t> by_reason_;
  std::map<JobId, WaitingJob> jobs_;
  std::size_t looks_ = 0;
};

}  // namespace tracebed
