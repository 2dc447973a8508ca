#include "schedulers/yarn/fifo.h"

#include <algorithm>

#include "schedulers/parts/gang_plan.h"

namespace tracebed {

FifoScheduler::FifoScheduler(const FifoSettings& settings)
    : settings_(settings),
      sizes_({.calculator = settings.calculator,
              .minimum = settings.minimum_allocation,
              .step = settings.minimum_allocation,
              .maximum = settings.maximum_allocation}) {}

Result<Resources> FifoScheduler::container_size(ApplicationId /*application*/,
                                                const Resources& demand) const {
  return sizes_.size_for(demand, nullptr);
}

void FifoScheduler::decide(const SchedulerInput& input, Decisions& decisions) {
  free_.follow(input);
  line_.follow(input);
  places_.clear();
  for (const SchedulerEvent& event : input.events) {
    sizes_.see(input.cluster, event);
    const auto* added = std::get_if<ApplicationAdded>(&event);
    if (added != nullptr) admit(input.cluster, added->application, decisions);
  }
  for (const SchedulerEvent& event : input.events) {
    const auto* updated = std::get_if<NodeUpdated>(&event);
    if (updated != nullptr) serve_node(input.cluster, updated->node, decisions);
  }
}

void FifoScheduler::admit(const ClusterModel& cluster, ApplicationId id,
                          Decisions& decisions) const {
  if (settings_.names == nullptr || settings_.submitters.is_everybody()) {
    return decisions.accept(id);
  }
  const Application* application = cluster.applications.find(id);
  if (application == nullptr) return;
  const std::string user =
      application->user.is_valid() ? settings_.names->users.name(application->user) : "";
  if (settings_.submitters.allows(user, settings_.groups.of(user))) return decisions.accept(id);
  decisions.reject(id, "user " + user + " may not submit to the queue");
}

HeartbeatInterest FifoScheduler::heartbeat_interest() const {
  if (line_.demands().empty()) return {.any = false, .minimum = {}};
  Resources minimum = line_.demands().minimum();
  if (settings_.calculator.kind() == ResourceCalculator::Kind::memory) {
    std::int64_t& memory = minimum[Resources::memory_dimension];
    memory = std::max(memory, settings_.minimum_allocation.memory_mib());
  }
  return {.any = true, .minimum = minimum};
}

void FifoScheduler::serve_node(const ClusterModel& cluster, NodeId node, Decisions& decisions) {
  if (!free_.is_alive(node)) return;
  const Resources& free = free_.free(node);
  auto entry = line_.begin();
  while (entry != line_.end() && !is_below_minimum(cluster, free) &&
         free_.has_room(node, line_.demands().minimum())) {
    const ApplicationId application = entry->first.application;
    while (entry != line_.end() && entry->first.application == application) {
      const std::uint32_t placed =
          place(cluster, entry->first.ask, entry->second.remaining, node, decisions);
      if (placed == 0) {
        entry = line_.after(application);
        break;
      }
      entry = line_.take(entry, placed);
    }
  }
}

std::uint32_t FifoScheduler::place(const ClusterModel& cluster, AskId id, std::uint32_t remaining,
                                   NodeId node, Decisions& decisions) {
  const Ask& ask = cluster.asks[id];
  std::int64_t units = std::min<std::int64_t>(remaining, free_.units_on(node, ask.demand));
  if (units == 0) return 0;
  if (ask.is_gang()) {
    if (!free_.take_gang(ask.demand, remaining, pieces_, ask.avoided)) return 0;
    decisions.allocate_gang(id, pieces_);
    return remaining;
  }
  const Node& place = cluster.node(node);
  units = places_.units(id, ask, place, static_cast<std::uint32_t>(units));
  places_.placed(id, ask, place, static_cast<std::uint32_t>(units));
  for (std::int64_t i = 0; i < units; ++i) decisions.allocate(id, node);
  free_.take(node, ask.demand, units);
  return static_cast<std::uint32_t>(units);
}

bool FifoScheduler::is_below_minimum(const ClusterModel& cluster, const Resources& free) const {
  return settings_.calculator.compare(free, settings_.minimum_allocation, cluster.capacity) < 0;
}

}  // namespace tracebed
