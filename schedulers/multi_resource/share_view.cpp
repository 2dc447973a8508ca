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
    delayed().add_figures(id, application.figures);
    view.applications.push_back(std::move(application));
  });
  return view;
}

std::string ShareScheduler::shares_in_words(ApplicationId id) const {
  const ShareOrder::Job& job = *shares_.find(id);
  const ShareOrder::Group& group = shares_.group(job.group);
  const std::string measure = settings_.policy == DivisionPolicy::asset ? "aggregate" : "dominant";
  return "the " + measure + " share of " + std::string(name_of(job.group)) + " is " +
         std::to_string(share_of(job.group, group).value()) + ", that of the job " +
         std::to_string(job.share.value());
}

}  // namespace tracebed
