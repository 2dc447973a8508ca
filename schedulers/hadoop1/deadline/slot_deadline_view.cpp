// What Hadoop 1's schedulers with deadlines tell about themselves.
#include <string>

#include "schedulers/hadoop1/deadline/slot_deadline.h"
#include "schedulers/hadoop1/kind_figures.h"
#include "schedulers/hadoop1/slot_waiting.h"

namespace tracebed {

SchedulerView SlotDeadlineScheduler::view(const ClusterModel& cluster) const {
  SchedulerView view;
  for (const auto& [id, plan] : plans_) {
    const SlotJob* const job = jobs_.find(id);
    if (job == nullptr) continue;
    ApplicationView shown{id, {}, true, cluster.free, {}};
    if (plan.deadline != never) {
      shown.figures.push_back({"time_left", "Time Left", plan.deadline - now_});
    }
    for (const SlotKind kind : slot_kinds) {
      const auto add = [&](const char* figure, const char* label, FigureValue value) {
        shown.figures.push_back(
            {id_of_kind(figure, kind), label_of_kind(label, kind), std::move(value)});
      };
      add("slots_needed", "Slots Needed", std::int64_t{plan.needs[kind]});
      add("running", "Running Tasks", std::int64_t{job->running[kind]});
      add("pending", "Pending Tasks", std::int64_t{job->pending[kind]});
      add("tasks_left", "Tasks Left", tasks_left(*job, plan, kind));
      if (const auto length = length_of(*job, kind)) add("task_length", "Task Length", *length);
    }
    delayed_.add_figures(id, shown.figures);
    view.applications.push_back(std::move(shown));
  }
  return view;
}

std::vector<WaitingReason> SlotDeadlineScheduler::why_waiting(const ClusterModel& cluster,
                                                              ApplicationId id, AskId ask) const {
  const SlotJob* const job = jobs_.find(id);
  const auto plan = plans_.find(id);
  if (job == nullptr || plan == plans_.end()) return {};
  std::vector<WaitingReason> reasons =
      why_slots_are_waited_for(cluster, jobs_, *job, ask, delayed_);
  if (reasons.empty() || plan->second.deadline == never) return reasons;
  for (const SlotKind kind : slot_kinds) {
    const std::int64_t needs = plan->second.needs[kind];
    if (job->pending[kind] == 0 || job->running[kind] < needs) continue;
    reasons.push_back({WaitingFor::deadline, "its deadline takes " + std::to_string(needs) + " " +
                                                 std::string(name_of(kind)) +
                                                 " slots, and it runs " +
                                                 std::to_string(job->running[kind]) + " tasks"});
  }
  return reasons;
}

}  // namespace tracebed
