// How the Fair Scheduler answers applications, and how they leave it.
#include <algorithm>

#include "schedulers/yarn/fair/fair_scheduler.h"
#include "schedulers/yarn/fair/queue_placement.h"

namespace tracebed {
namespace {

const std::string nobody = "anonymous";

}  // namespace

std::string FairScheduler::user_name(UserId user) const {
  return names_ == nullptr || !user.is_valid() ? nobody : names_->users.name(user);
}

LiveQueue* FairScheduler::queue_for(const Application& application, std::string& refusal) {
  PlacementRequest request;
  request.user = user_name(application.user);
  request.groups = settings_.groups.of(request.user);
  if (names_ != nullptr && application.queue.is_valid()) {
    request.queue = names_->queues.name(application.queue);
  }
  const QueueChoice choice = choose_queue(
      placement_, request, [&](const std::string& path) { return tree_.presence(path); });
  refusal = choice.refusal;
  if (!refusal.empty()) return nullptr;
  LiveQueue* leaf = tree_.leaf(choice.path);
  if (leaf == nullptr) {
    refusal = choice.path + " is not a leaf queue";
    return nullptr;
  }
  if (!may_submit(*leaf, request.user, request.groups)) {
    refusal = "user " + request.user + " may not submit to queue " + leaf->path;
    return nullptr;
  }
  for (std::size_t d = 0; d < application.master_demand.dimensions_used(); ++d) {
    if (application.master_demand[d] == 0 || leaf->maximum[d] > 0) continue;
    refusal = "its master asks for something of which queue " + leaf->path + " may use nothing";
    return nullptr;
  }
  return leaf;
}

void FairScheduler::admit(const ClusterModel& cluster, ApplicationId id, Decisions& decisions) {
  const Application* model = cluster.applications.find(id);
  if (model == nullptr) return;
  std::string refusal;
  LiveQueue* leaf = queue_for(*model, refusal);
  if (leaf == nullptr) {
    check_queues_soon();  // one may have been created for it
    return decisions.reject(id, std::move(refusal));
  }
  LiveApplication& application = applications_.emplace_at(id);
  application.id = id;
  application.user = model->user;
  application.start = model->submitted;
  application.last_at_share = now_;
  application.leaf = leaf;
  application.has_master = !model->master_demand.is_zero();
  limits_.add(application, user_name(model->user));
  note_start(*leaf);
  update_.members_changed(*leaf);
  update_.watch_age(application);
  update_.out_of_date(application);
  touch(id);
  decisions.accept(id);
}

void FairScheduler::remove(ApplicationId id) {
  LiveApplication* application = applications_.find(id);
  if (application == nullptr) return;  // it was rejected
  LiveQueue& leaf = *application->leaf;
  reservations_.remove_all(*application);
  preemption_.application_leaves(*application);
  if (application->is_master_running) leaf.master_usage -= application->master_resources;
  leaf.demand_sum -= application->demand;
  std::vector<LiveApplication*> now_runnable;
  limits_.remove(*application, now_runnable);
  order_.charge(*application, Resources() - application->usage);
  order_.refresh(*application);
  applications_.erase(id);
  note_start(leaf);
  update_.members_changed(leaf);
  for (LiveApplication* next : now_runnable) {
    order_.refresh(*next);
    update_.members_changed(*next->leaf);
  }
  if (leaf.is_dynamic && leaf.applications.empty()) check_queues_soon();
}

void FairScheduler::note_start(LiveQueue& leaf) {
  leaf.start = leaf.applications.empty() ? never : applications_[*leaf.applications.begin()].start;
  for (LiveQueue* queue = leaf.parent; queue != nullptr; queue = queue->parent) {
    queue->start = never;
    for (const LiveQueue* child : queue->children) {
      queue->start = std::min(queue->start, child->start);
    }
  }
  order_.refresh(leaf);
}

}  // namespace tracebed
