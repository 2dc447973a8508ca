// What the schedulers that serve the least share tell about themselves.
#include <string>

#include "schedulers/multi_resource/share_scheduler.h"

namespace tracebed {
namespace {

Resources part_of(const Resources& total, double part) {
  Resources amount;
  for (std::size_t d = 0; d < total.dimensions_used(); ++d) {
    amount[d] = static_cast<std::int64_t>(static_cast<double>(total[d]) * part);
  }
  return amount;
}

double as_number(std::int64_t weight) {
  return static_cast<double>(weight) / weight_of_one;
}

}  // namespace

DominantShare ShareScheduler::share_of(ShareOrder::GroupId id,
                                       const ShareOrder::Group& group) const {
  // In a market the order's weights are what groups would have.
  if (settings_.policy != DivisionPolicy::market) return group.share;
  return {group.used, trading_.total, weight_of(id)};
}

void ShareScheduler::add_share(const DominantShare& share, std::vector<Figure>& figures) const {
  if (settings_.policy == DivisionPolicy::asset) {
    figures.push_back({"aggregate_share", "Aggregate Share", Ratio{share.value()}, ""});
    return;
  }
  figures.push_back({"dominant_share", "Dominant Share", Ratio{share.value()}, ""});
  figures.push_back(
      {"dominant_resource", "Dominant Resource", dimensions_.name(share.dimension()), ""});
}

SchedulerView ShareScheduler::view(const ClusterModel& cluster) const {
  SchedulerView view;
  std::int64_t weights = 0;
  for (const auto& [id, group] : shares_.groups()) weights += weight_of(id);
  std::map<ShareOrder::GroupId, std::size_t> places;
  const auto add_group = [&](ShareOrder::GroupId id) {
    if (!places.emplace(id, view.queues.size()).second) return;
    const ShareOrder::Group& group = shares_.group(id);
    QueueView queue;
    queue.queue = {std::string(name_of(id)), true, {}};
    add_share(share_of(id, group), queue.queue.figures);
    queue.queue.figures.push_back({"weight", "Weight", as_number(weight_of(id)), ""});
    if (const auto found = equilibrium_.find(id); found != equilibrium_.end()) {
      queue.queue.figures.push_back(
          {"equilibrium_share", "Equilibrium Share", Ratio{found->second}, ""});
    }
    queue.entitled = part_of(cluster.capacity,
                             static_cast<double>(weight_of(id)) / static_cast<double>(weights));
    queue.used = group.used;
    view.queues.push_back(std::move(queue));
  };
  shares_.visit_in_order([&](ApplicationId id) {
    add_group(shares_.find(id)->group);
    view.queues[places.at(shares_.find(id)->group)].active.push_back(id);
    return true;
  });
  for (const auto& [id, group] : shares_.groups()) add_group(id);
  cluster.applications.for_each([&](ApplicationId id, const Application&) {
    const ShareOrder::Job* job = shares_.find(id);
    if (job == nullptr) return;
    QueueView& queue = view.queues[places.at(job->group)];
    if (!job->wants) queue.active.push_back(id);
    ApplicationView application;
    application.application = id;
    application.queue = queue.queue.path;
    application.is_active = true;
    application.headroom = headroom(cluster, id);
    add_share(job->share, application.figures);
    view.applications.push_back(std::move(application));
  });
  return view;
}

std::vector<WaitingReason> ShareScheduler::why_waiting(const ClusterModel& cluster,
                                                       ApplicationId id, AskId ask_id) const {
  const SlotJob* job = jobs_.find(id);
  const ShareOrder::Job* shares = shares_.find(id);
  if (job == nullptr || shares == nullptr) return {};
  const SlotAsk* wanted = nullptr;
  for (const SlotAsk& ask : job->asks) {
    if (ask.remaining > 0 && (!ask_id.is_valid() || ask.id == ask_id)) {
      wanted = &ask;
      break;
    }
  }
  if (wanted == nullptr) return {};
  bool has_machine = false;
  bool is_there_room = false;
  for (const Node& node : cluster.nodes) {
    has_machine |= node.alive && cluster.could_hold(node, wanted->demand);
    is_there_room |= node.alive && (wanted->is_master ? cluster.has_room(node, wanted->demand)
                                                      : asks_for_tasks(node) &&
                                                            has_room(wanted->demand, node.id));
  }
  if (!has_machine) return {{WaitingFor::larger_machines, "no node could hold one of its tasks"}};
  if (!is_there_room) return {{WaitingFor::room, "no node has room for one of its tasks"}};
  ApplicationId first;
  shares_.visit_in_order([&](ApplicationId other) {
    first = other;
    return false;
  });
  if (first == id || wanted->is_master) {
    return {{WaitingFor::its_turn, "it is served at a node's next heartbeat"}};
  }
  const ShareOrder::Group& group = shares_.group(shares->group);
  const std::string measure = settings_.policy == DivisionPolicy::asset ? "aggregate" : "dominant";
  return {{WaitingFor::its_turn, "others come first: the " + measure + " share of " +
                                     std::string(name_of(shares->group)) + " is " +
                                     std::to_string(share_of(shares->group, group).value()) +
                                     ", that of the job " + std::to_string(shares->share.value())}};
}

}  // namespace tracebed
