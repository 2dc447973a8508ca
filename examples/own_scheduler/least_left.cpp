#include "own_scheduler/least_left.h"

#include <algorithm>
#include <utility>

#include "schedulers/parts/accept_all.h"
#include "schedulers/parts/entry_settings.h"

namespace own_scheduler {

using namespace tracebed;

namespace {

// Those that ask for something, the one that asks for the fewest containers first; of those that
// ask for as many the one that came first.
std::vector<std::pair<std::uint64_t, ApplicationId>> turns_of(const ClusterModel& cluster) {
  std::vector<std::pair<std::uint64_t, ApplicationId>> turns;
  cluster.applications.for_each([&](ApplicationId id, const Application& application) {
    std::uint64_t left = 0;
    for (const AskId ask : application.asks) left += cluster.asks[ask].pending;
    if (left > 0) turns.emplace_back(left, id);
  });
  std::sort(turns.begin(), turns.end());
  return turns;
}

// Largest where least is free in the dimension of which most is used.
double fullness(const Resources& free, const Resources& capacity) {
  double fullest = 0;
  for (std::size_t d = 0; d < capacity.dimensions_used(); ++d) {
    if (capacity[d] == 0) continue;
    const auto used = static_cast<double>(capacity[d] - free[d]);
    fullest = std::max(fullest, used / static_cast<double>(capacity[d]));
  }
  return fullest;
}

Result<std::unique_ptr<Scheduler>> make_least_left(const SchedulerEntry& entry,
                                                   const SchedulerParameters& parameters) {
  SettingReader reader = reader_of(entry, parameters);
  const Fit fit = reader.choice("fit", {"best", "first"}) == 0 ? Fit::best : Fit::first;
  if (const Status status = reader.status(); !status) return status.error();
  return Result<std::unique_ptr<Scheduler>>(std::make_unique<LeastLeftScheduler>(fit));
}

}  // namespace

void LeastLeftScheduler::decide(const SchedulerInput& input, Decisions& decisions) {
  places_.clear();
  free_.follow(input);
  accept_all(input, decisions);
  for (const auto& [left, id] : turns_of(input.cluster)) {
    for (const AskId ask_id : input.cluster.applications[id].asks) {
      const Ask& ask = input.cluster.asks[ask_id];
      if (!ask.is_gang()) {
        place_units(input.cluster, ask_id, decisions);
      } else if (ask.pending > 0 &&
                 free_.take_gang(ask.demand, ask.pending, pieces_, ask.avoided)) {
        decisions.allocate_gang(ask_id, pieces_);
      }
    }
  }
}

void LeastLeftScheduler::place_units(const ClusterModel& cluster, AskId id, Decisions& decisions) {
  const Ask& ask = cluster.asks[id];
  for (std::uint32_t placed = 0; placed < ask.pending; ++placed) {
    const NodeId node = choose(cluster, id, ask);
    if (!node.is_valid()) return;
    decisions.allocate(id, node);
    free_.take(node, ask.demand);
    places_.placed(id, ask, cluster.node(node), 1);
  }
}

NodeId LeastLeftScheduler::choose(const ClusterModel& cluster, AskId id, const Ask& ask) const {
  NodeId chosen;
  double fullest = -1;
  free_.visit_with_room(ask.demand, [&](NodeId node) {
    if (places_.units(id, ask, cluster.node(node), 1) == 0) return false;
    const double full = fullness(free_.free(node) - ask.demand, cluster.node(node).capacity);
    if (full > fullest) {
      fullest = full;
      chosen = node;
    }
    return fit_ == Fit::first;
  });
  return chosen;
}

SchedulerEntry least_left_entry() {
  return {.name = "least_left",
          .summary =
              "The application with the fewest pending containers goes first; units that fit "
              "nowhere are skipped.",
          .source = "Schrage and Miller 1966, shortest remaining processing time",
          .settings = {{"fit", "best",
                        "the node that a container goes to: the one that it fills most (`best`), "
                        "or the `first` that has room"}},
          .make = make_least_left};
}

}  // namespace own_scheduler
