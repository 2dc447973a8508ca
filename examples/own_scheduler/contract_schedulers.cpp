// Over what the contract suite runs here: the scheduler with each of its settings.
#include "contract/suite_schedulers.h"
#include "core/check.h"
#include "own_scheduler/least_left.h"

namespace tracebed {

std::vector<std::string_view> suite_schedulers() {
  return {"least_left_best_fit", "least_left_first_fit"};
}

std::unique_ptr<Scheduler> make_for_suite(std::string_view name, std::uint64_t seed,
                                          const ResourceDimensions& dimensions,
                                          Duration heartbeat) {
  const SchedulerEntry entry = own_scheduler::least_left_entry();
  SchedulerParameters parameters;
  parameters.seed = seed;
  parameters.dimensions = dimensions;
  parameters.heartbeat = heartbeat;
  parameters.settings["fit"] = name == "least_left_best_fit" ? "best" : "first";
  auto made = entry.make(entry, parameters);
  TRACEBED_CHECK(made.has_value(), "the scheduler can be made with each of its settings");
  return std::move(made).value();
}

}  // namespace tracebed
