#include "schedulers/multi_resource/share_scheduler.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/visit.h"
#include "schedulers/parts/accept_all.h"

namespace tracebed {
namespace {

// More than there are tasks on any node.
constexpr SlotRule enough_slots{.stated = {.map = 1 << 24, .reduce = 1 << 24}};

// Of jobs whose user or queue is not named.
constexpr ShareOrder::GroupId group_without_name = 0;
constexpr std::string_view name_without_name = "default";

bool wants_tasks(const SlotJob& job) {
  return job.pending.map > 0 || job.pending.reduce > 0;
}

}  // namespace

ShareScheduler::ShareScheduler(ShareSettings settings, const Names& names,
                               ResourceDimensions dimensions)
    : settings_(std::move(settings)),
      names_(names),
      dimensions_(std::move(dimensions)),
      jobs_(enough_slots, {}),
      shares_(settings_.measure(), settings_.job_order) {}

void ShareScheduler::decide(const SchedulerInput& input, Decisions& decisions) {
  follow(input);
  accept_all(input, decisions);
  counted_ = decisions.list().size();
  SlotOffer offer(input.cluster, jobs_, free_, decisions);
  for (const SchedulerEvent& event : input.events) {
    const auto* updated = std::get_if<NodeUpdated>(&event);
    if (updated == nullptr || !free_.is_alive(updated->node)) continue;
    serve_node(input.cluster, updated->node, offer, decisions);
  }
}

// ---- what happened ----

void ShareScheduler::follow(const SchedulerInput& input) {
  const ClusterModel& cluster = input.cluster;
  free_.follow(input);
  const SlotJobs::Changes& changes = jobs_.follow(input);
  for (const SlotJob& removed : changes.removed) shares_.remove(removed.id);
  for (const ApplicationId id : changes.added) {
    const SlotJob& job = *jobs_.find(id);
    const ShareOrder::GroupId group = group_of(job);
    shares_.add(id, group, weight_of(group), job.submitted);
    changed_.insert(id);
  }
  for (const SchedulerEvent& event : input.events) {
    visit_all(
        event,
        [&](const OneOf<ContainerFinished, ContainerRecovered, AskRemoved> auto& of) {
          changed_.insert(of.application);
        },
        [&](const AskChanged& changed) {
          const Ask* ask = cluster.asks.find(changed.ask);
          if (ask != nullptr) changed_.insert(ask->application);
        },
        Ignore<NodeAdded, NodeRemoved, NodeUpdated, ApplicationAdded, ApplicationRemoved,
               PreemptionSettled, PreemptionDue, Tick, Refused>{});
  }
  // Those with proposals in the last call are among them, whatever became of these.
  for (const ApplicationId id : changed_) update(cluster, id);
  const bool has_changed = !changed_.empty() || !changes.removed.empty();
  changed_.clear();
  shares_.set_total(cluster.capacity);
  if (settings_.policy == DivisionPolicy::market) settle_market(cluster, has_changed);
}

void ShareScheduler::settle_market(const ClusterModel& cluster, bool has_changed) {
  if (!has_changed && trading_.total == cluster.capacity) return;
  Trading trading{cluster.capacity, {}, {}};
  for (const auto& [id, group] : shares_.groups()) {
    if (group.jobs.empty()) continue;
    const SlotJob& first = *jobs_.find(group.jobs.begin()->id);
    const SlotAsk* next = first.wanting(SlotKind::map);
    if (next == nullptr) next = first.wanting(SlotKind::reduce);
    if (next == nullptr) continue;
    trading.groups.push_back(id);
    trading.users.push_back({next->demand, weight_of(id)});
  }
  if (trading == trading_) return;
  trading_ = std::move(trading);
  const std::vector<double> tasks = market_tasks(trading_.total, trading_.users);
  std::vector<double> shares;
  double most = 0;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    shares.push_back(
        tasks[i] * DominantShare(trading_.users[i].demand, trading_.total, weight_of_one).value());
    most = std::max(most, shares.back());
  }
  equilibrium_.clear();
  if (most <= 0) return;  // nobody demands what there is
  for (std::size_t i = 0; i < shares.size(); ++i) {
    equilibrium_[trading_.groups[i]] = shares[i];
    const double part = shares[i] / most * static_cast<double>(weight_max);
    shares_.set_weight(trading_.groups[i], std::max<std::int64_t>(1, std::llround(part)));
  }
}

void ShareScheduler::update(const ClusterModel& cluster, ApplicationId id) {
  const SlotJob* job = jobs_.find(id);
  const Application* application = cluster.applications.find(id);
  if (job == nullptr || application == nullptr) return;
  shares_.update(id, application->used, wants_tasks(*job));
}

void ShareScheduler::count_proposals(const ClusterModel& cluster, const Decisions& decisions) {
  const auto count = [&](AskId id, std::int64_t units) {
    const Ask& ask = cluster.asks[id];
    const ShareOrder::Job* shares = shares_.find(ask.application);
    const SlotJob* job = jobs_.find(ask.application);
    if (shares == nullptr || job == nullptr) return;
    Resources used = shares->used;
    used.add_times(ask.demand, units);
    shares_.update(ask.application, used, wants_tasks(*job));
    changed_.insert(ask.application);
  };
  for (; counted_ < decisions.list().size(); ++counted_) {
    visit_all(
        decisions.list()[counted_], [&](const Allocate& allocate) { count(allocate.ask, 1); },
        [&](const AllocateGang& gang) {
          std::int64_t units = 0;
          for (const GangPiece& piece : decisions.pieces(gang)) units += piece.units;
          count(gang.ask, units);
        },
        Ignore<Accept, Reject, Kill, WakeAt, EndApplication, Preempt, WithdrawPreemption>{});
  }
}

// ---- figure 3 of MFS, algorithm 1 of DRF ----

void ShareScheduler::serve_node(const ClusterModel& cluster, NodeId node, SlotOffer& offer,
                                const Decisions& decisions) {
  offer.place_masters(node, [](const SlotJob&) { return true; });
  count_proposals(cluster, decisions);
  while (asks_for_tasks(cluster.node(node)) && give_task(node, offer)) {
    count_proposals(cluster, decisions);
    if (!settings_.gives_several) return;
  }
}

bool ShareScheduler::asks_for_tasks(const Node& node) const {
  const Resources& free = free_.free(node.id);
  for (std::size_t d = 0; d < node.capacity.dimensions_used(); ++d) {
    if (node.capacity[d] <= 0) continue;
    const WideAmount used = node.capacity[d] - free[d];
    if (used * 1'000 >= WideAmount{node.capacity[d]} * settings_.utilisation_max_milli) {
      return false;
    }
  }
  return true;
}

bool ShareScheduler::give_task(NodeId node, SlotOffer& offer) {
  bool is_given = false;
  shares_.visit_in_order([&](ApplicationId id) {
    SlotJob& job = *jobs_.find(id);
    SlotKind kind = SlotKind::map;
    if (!offer.has_task(job, kind, node)) kind = SlotKind::reduce;
    if (!offer.has_task(job, kind, node)) return true;
    const bool is_close = settings_.needs_more && !has_room(job.wanting(kind)->demand, node);
    is_given = !is_close && offer.place(job, kind, node).has_value();
    return !is_given && settings_.skips;
  });
  return is_given;
}

bool ShareScheduler::has_room(const Resources& demand, NodeId node) const {
  const Resources& free = free_.free(node);
  if (!free_.has_room(node, demand)) return false;
  if (!settings_.needs_more) return true;
  for (std::size_t d = 0; d < demand.dimensions_used(); ++d) {
    if (demand[d] > 0 && free[d] == demand[d]) return false;
  }
  return true;
}

HeartbeatInterest ShareScheduler::heartbeat_interest() const {
  if (jobs_.demands().empty()) return {.any = false, .minimum = {}};
  return {.any = true, .minimum = jobs_.demands().minimum()};
}

// ---- groups ----

ShareOrder::GroupId ShareScheduler::group_of(const SlotJob& job) const {
  const bool is_by_user = settings_.groups == ShareSettings::Groups::by_user;
  if (is_by_user ? !job.user.is_valid() : !job.queue.is_valid()) return group_without_name;
  return 1 + (is_by_user ? job.user.value() : job.queue.value());
}

std::string_view ShareScheduler::name_of(ShareOrder::GroupId group) const {
  if (group == group_without_name) return name_without_name;
  const std::size_t index = group - 1;
  const bool is_by_user = settings_.groups == ShareSettings::Groups::by_user;
  const std::size_t known = is_by_user ? names_.users.size() : names_.queues.size();
  if (index >= known) return name_without_name;
  return is_by_user ? names_.users.name(UserId(index)) : names_.queues.name(QueueId(index));
}

std::int64_t ShareScheduler::weight_of(ShareOrder::GroupId group) const {
  const auto found = settings_.weights.find(name_of(group));
  return found == settings_.weights.end() ? weight_of_one : found->second;
}

std::string_view ShareScheduler::leaf_of(ApplicationId id) const {
  const ShareOrder::Job* job = shares_.find(id);
  return job == nullptr ? std::string_view() : name_of(job->group);
}

}  // namespace tracebed
