#include "schedulers/hadoop1/slot_fifo.h"

#include <algorithm>
#include <array>
#include <set>

#include "core/check.h"
#include "schedulers/hadoop1/load_cap.h"
#include "schedulers/hadoop1/slot_waiting.h"
#include "schedulers/parts/accept_all.h"

namespace tracebed {
namespace {

// JobQueueTaskScheduler.MIN_CLUSTER_SIZE_FOR_PADDING.
constexpr std::int64_t nodes_without_padding = 3;

constexpr std::array fifo_properties{
    MapredProperty{"mapred.jobtracker.taskalloc.capacitypad", "pad_fraction",
                   MapredProperty::Form::number},
};

}  // namespace

const std::vector<SettingDescription>& slot_fifo_setting_descriptions() {
  constexpr std::array own{
      SettingDescription{"exclusive", "false",
                         "whether only the first job of the queue gets slots until it has ended"},
      SettingDescription{"tasks_per_heartbeat", "several",
                         "tasks per heartbeat: `several` maps and one reduce, or `one` task"},
      SettingDescription{"pad_fraction", "0.01",
                         "fraction of all tasks for which slots are kept free, 0 to 1 "
                         "(mapred.jobtracker.taskalloc.capacitypad)"},
      node_delay_setting,
      rack_delay_setting,
  };
  static const std::vector<SettingDescription> all = with_slot_settings(own);
  return all;
}

std::span<const MapredProperty> slot_fifo_properties() {
  return fifo_properties;
}

Result<SlotFifoSettings> read_slot_fifo_settings(const SchedulerParameters& parameters) {
  Result<SettingValues> values = with_mapred_site(parameters, fifo_properties);
  if (!values) return values.error();
  SettingReader reader("scheduler slot_fifo", slot_fifo_setting_descriptions(), *values);
  SlotFifoSettings settings;
  settings.slots = read_slot_rule(reader);
  settings.order = read_turn_order(reader);
  settings.is_exclusive = reader.choice("exclusive", {"false", "true"}) == 1;
  settings.gives_one = reader.choice("tasks_per_heartbeat", {"several", "one"}) == 1;
  settings.pad_fraction = reader.fraction("pad_fraction", 0, 1);
  settings.delays = read_map_delays(reader);
  if (const Status status = reader.status(); !status) return status.error();
  return settings;
}

void SlotFifoScheduler::decide(const SchedulerInput& input, Decisions& decisions) {
  free_.follow(input);
  delayed_.begin(input.now);
  const SlotJobs::Changes& changes = jobs_.follow(input);
  delayed_.follow(jobs_, changes);
  for (const SlotJob& job : changes.removed) {
    for (const SlotKind kind : slot_kinds) queue_[kind].remove(job.id);
  }
  for (const ApplicationId id : changes.changed) {
    if (const SlotJob* job = jobs_.find(id)) put_in_queue(*job);
  }
  accept_all(input, decisions);
  SlotOffer offer(input.cluster, jobs_, free_, decisions);
  for (const NodeId node : turns_.follow(input, free_)) serve_node(node, offer);
  delayed_.wake(decisions);
  turns_.wake(input.now, decisions);
}

void SlotFifoScheduler::put_in_queue(const SlotJob& job) {
  for (const SlotKind kind : slot_kinds) {
    if (job.pending[kind] == 0) {
      queue_[kind].remove(job.id);
    } else {
      queue_[kind].set(job.id, job.key(), waiting_demands(job, kind));
    }
  }
}

void SlotFifoScheduler::verify() const {
  for (const SlotKind kind : slot_kinds) {
    std::set<SlotJobKey> expected;
    for (const auto& [key, job] : jobs_.all()) {
      if (job.pending[kind] > 0) expected.insert(key);
    }
    TRACEBED_CHECK(queue_[kind].keys() == expected, "the queue holds the jobs that wait");
  }
}

HeartbeatInterest SlotFifoScheduler::heartbeat_interest() const {
  return turns_.interest(delayed_.interest(jobs_.heartbeat_interest(), jobs_));
}

std::vector<WaitingReason> SlotFifoScheduler::why_waiting(const ClusterModel& cluster,
                                                          ApplicationId id, AskId ask) const {
  const SlotJob* job = jobs_.find(id);
  if (job == nullptr) return {};
  if (may_run(*job)) return why_slots_are_waited_for(cluster, jobs_, *job, ask, delayed_);
  return {{WaitingFor::its_turn, "another job has the cluster to itself"}};
}

bool SlotFifoScheduler::may_run(const SlotJob& job) const {
  return !settings_.is_exclusive || job.id == jobs_.all().begin()->second.id;
}

void SlotFifoScheduler::serve_node(NodeId node, SlotOffer& offer) {
  offer.place_masters(node, [&](const SlotJob& job) { return may_run(job); });
  const std::int64_t maps = give_maps(node, offer);
  if (maps == 0 || !settings_.gives_one) give_reduce(node, offer);
}

std::int64_t SlotFifoScheduler::room_under_load_cap(NodeId node, SlotKind kind) const {
  const std::int64_t unfinished = jobs_.pending(kind) + jobs_.running(kind);
  return load_cap(unfinished, jobs_.table().total(node, kind), jobs_.table().total(kind), 0) -
         jobs_.table().used(node, kind);
}

// The original adds up the tasks job by job until the padding is reached, which grows with them.
bool SlotFifoScheduler::is_padding_reached(NodeId node, SlotKind kind) const {
  const SlotTable& table = jobs_.table();
  std::int64_t padding = 0;
  if (table.alive_nodes() > nodes_without_padding) {
    const auto tasks = static_cast<double>(jobs_.total(kind));
    padding = std::min(table.total(node, kind),
                       static_cast<std::int64_t>(tasks * settings_.pad_fraction));
  }
  return jobs_.running(kind) + padding >= table.total(kind);
}

std::optional<Locality> SlotFifoScheduler::give(SlotKind kind, NodeId node, bool only_first,
                                                SlotOffer& offer) {
  std::optional<Locality> placed;
  const auto give_to = [&](const SlotJobKey& key) {
    SlotJob& job = jobs_.all().at(key);
    placed = delayed_.place(offer, job, kind, node);
    if (placed) put_in_queue(job);
    return placed.has_value();
  };
  const auto has_room = [&](const Resources& demand) { return offer.has_room(node, demand); };
  const auto& waiting = queue_[kind];
  if (!settings_.is_exclusive && !only_first) {
    waiting.visit_with_room(has_room, give_to);
  } else if (!waiting.empty()) {
    const SlotJobKey first = waiting.first();
    const SlotJob& job = jobs_.all().at(first);
    const std::vector<Resources> demands = waiting_demands(job, kind);
    if (may_run(job) && std::any_of(demands.begin(), demands.end(), has_room)) give_to(first);
  }
  return placed;
}

std::int64_t SlotFifoScheduler::give_maps(NodeId node, SlotOffer& offer) {
  const std::int64_t room = room_under_load_cap(node, SlotKind::map);
  if (room <= 0 || !offer.could_place(SlotKind::map, node)) return 0;
  const bool ends_at_one = settings_.gives_one || is_padding_reached(node, SlotKind::map);
  std::int64_t given = 0;
  while (given < room) {
    const std::optional<Locality> placed = give(SlotKind::map, node, false, offer);
    if (!placed) return given;
    ++given;
    if (ends_at_one || *placed == Locality::off_switch) return given;
  }
  return given;
}

void SlotFifoScheduler::give_reduce(NodeId node, SlotOffer& offer) {
  if (room_under_load_cap(node, SlotKind::reduce) <= 0) return;
  if (!offer.could_place(SlotKind::reduce, node)) return;
  give(SlotKind::reduce, node, is_padding_reached(node, SlotKind::reduce), offer);
}

}  // namespace tracebed
