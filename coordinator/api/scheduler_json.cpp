#include "coordinator/api/scheduler_json.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "coordinator/api/queue_numbers.h"
#include "report/queue_page.h"

namespace tracebed {
namespace {

using Json = nlohmann::ordered_json;

struct Field {
  std::string_view figure;  // as the scheduler names it
  const char* name;         // as YARN's object does
};

// CapacitySchedulerQueueInfo, and what its root has of it (CapacitySchedulerInfo).
constexpr std::array capacity_root_numbers{
    Field{"Configured Capacity", "capacity"},
    Field{"Used Capacity", "usedCapacity"},
    Field{"Configured Max Capacity", "maxCapacity"},
};
constexpr std::array capacity_numbers{
    Field{"Absolute Capacity", "absoluteCapacity"},
    Field{"Absolute Max Capacity", "absoluteMaxCapacity"},
    Field{"Absolute Used Capacity", "absoluteUsedCapacity"},
    Field{"Num Containers", "allocatedContainers"},
};
constexpr std::array capacity_resources{
    Field{"Guaranteed Resources", "minEffectiveCapacity"},
    Field{"Maximum Resources", "maxEffectiveCapacity"},
};
// CapacitySchedulerLeafQueueInfo; the numbers of active applications are those of Hadoop 2.0.
constexpr std::array capacity_leaf_numbers{
    Field{"Num Active Applications", "numActiveApplications"},
    Field{"Num Pending Applications", "numPendingApplications"},
    Field{"Num Containers", "numContainers"},
    Field{"Max Applications", "maxApplications"},
    Field{"Max Applications Per User", "maxApplicationsPerUser"},
    Field{"Max Active Applications", "maxActiveApplications"},
    Field{"Max Active Applications Per User", "maxActiveApplicationsPerUser"},
    Field{"Configured Minimum User Limit Percent", "userLimit"},
    Field{"Configured User Limit Factor", "userLimitFactor"},
};
constexpr std::array capacity_leaf_resources{
    Field{"Max Application Master Resources", "AMResourceLimit"},
    Field{"Used Application Master Resources", "usedAMResource"},
    Field{"Max Application Master Resources Per User", "userAMResourceLimit"},
};
// FairSchedulerQueueInfo and FairSchedulerLeafQueueInfo.
constexpr std::array fair_resources{
    Field{"Min Resources", "minResources"},
    Field{"Demand Resources", "demandResources"},
    Field{"Steady Fair Share", "steadyFairResources"},
    Field{"Instantaneous Fair Share", "fairResources"},
    Field{"AM Used Resources", "amUsedResources"},
    Field{"AM Max Resources", "amMaxResources"},
};

template <class Fields>
void add_numbers(Json& object, const ExplainedQueue& queue, const Fields& fields) {
  for (const Field& field : fields) {
    const ExplainedFigure* figure = find_figure(queue, field.figure);
    if (figure == nullptr) continue;
    if (auto number = read_number(figure->value)) object[field.name] = std::move(*number);
  }
}

template <class Fields>
void add_resources(Json& object, const ExplainedQueue& queue, const Fields& fields) {
  for (const Field& field : fields) {
    const ExplainedFigure* figure = find_figure(queue, field.figure);
    if (figure == nullptr) continue;
    if (const auto resources = read_resources(figure->value)) {
      object[field.name] = resource_info(*resources);
    }
  }
}

void add_text(Json& object, const ExplainedQueue& queue, const Field& field) {
  const ExplainedFigure* figure = find_figure(queue, field.figure);
  if (figure != nullptr) object[field.name] = figure->value;
}

void add_page(Json& object, const ExplainedQueue& queue) {
  Json& page = object["queuePage"] = Json::object();
  for (auto& [name, value] : page_figures(queue)) page[name] = std::move(value);
}

// The queues with their children, in the order of their paths; leaves before parents, as YARN has
// them since YARN-4785.
class QueueForest {
 public:
  explicit QueueForest(const std::vector<QueueView>& queues) {
    std::map<std::string_view, const QueueView*> by_path;
    for (const QueueView& queue : queues) by_path.emplace(queue.queue.path, &queue);
    for (const auto& [path, queue] : by_path) {
      const std::size_t dot = path.rfind('.');
      const auto parent =
          dot == std::string_view::npos ? by_path.end() : by_path.find(path.substr(0, dot));
      (parent == by_path.end() ? roots_ : children_[parent->second]).push_back(queue);
    }
    for (auto& [parent, children] : children_) {
      std::stable_partition(children.begin(), children.end(),
                            [](const QueueView* queue) { return queue->queue.is_leaf; });
    }
  }
  const std::vector<const QueueView*>& roots() const { return roots_; }
  const std::vector<const QueueView*>& children(const QueueView& queue) const {
    const auto found = children_.find(&queue);
    return found == children_.end() ? none_ : found->second;
  }
  std::size_t applications(const QueueView& queue) const {
    std::size_t count = queue.active.size() + queue.waiting.size();
    for (const QueueView* child : children(queue)) count += applications(*child);
    return count;
  }

 private:
  const std::vector<const QueueView*> none_;
  std::vector<const QueueView*> roots_;
  std::map<const QueueView*, std::vector<const QueueView*>> children_;
};

Json capacity_queues(const QueueForest& forest, const QueueView& parent);

Json capacity_queue(const QueueForest& forest, const QueueView& view) {
  const ExplainedQueue& queue = view.queue;
  Json object = Json::object();
  if (queue.is_leaf) object["type"] = "capacitySchedulerLeafQueueInfo";
  object["queuePath"] = queue.path;
  add_numbers(object, queue, capacity_root_numbers);
  add_numbers(object, queue, capacity_numbers);
  object["numApplications"] = forest.applications(view);
  object["queueName"] = queue.path.substr(queue.path.rfind('.') + 1);
  add_text(object, queue, {"Queue State", "state"});
  object["resourcesUsed"] = resource_info(view.used);
  add_resources(object, queue, capacity_resources);
  if (queue.is_leaf) {
    add_numbers(object, queue, capacity_leaf_numbers);
    add_resources(object, queue, capacity_leaf_resources);
  } else {
    object["queues"] = capacity_queues(forest, view);
  }
  add_page(object, queue);
  return object;
}

Json capacity_queues(const QueueForest& forest, const QueueView& parent) {
  Json queues = Json::array();
  for (const QueueView* child : forest.children(parent)) {
    queues.push_back(capacity_queue(forest, *child));
  }
  return {{"queue", std::move(queues)}};
}

Json capacity_scheduler(const SchedulerSnapshot& snapshot) {
  Json info = {{"type", "capacityScheduler"}};
  const QueueForest forest(snapshot.queues);
  for (const QueueView* root : forest.roots()) {
    add_numbers(info, root->queue, capacity_root_numbers);
    info["queueName"] = root->queue.path;
    info["queues"] = capacity_queues(forest, *root);
    add_page(info, root->queue);
  }
  return info;
}

Json fair_queue(const SchedulerSnapshot& snapshot, const QueueForest& forest,
                const QueueView& view) {
  const ExplainedQueue& queue = view.queue;
  Json object = Json::object();
  if (queue.is_leaf) object["type"] = "fairSchedulerLeafQueueInfo";
  add_numbers(object, queue, std::array{Field{"Max Running Applications", "maxApps"}});
  add_resources(object, queue, fair_resources);
  if (const ExplainedFigure* maximum = find_figure(queue, "Max Resources")) {
    if (const auto resources = read_resources(maximum->value, &snapshot.capacity)) {
      object["maxResources"] = resource_info(component_minimum(*resources, snapshot.capacity));
    }
  }
  object["usedResources"] = resource_info(view.used);
  object["clusterResources"] = resource_info(snapshot.capacity);
  object["queueName"] = queue.path;
  add_text(object, queue, {"schedulingPolicy", "schedulingPolicy"});
  if (queue.is_leaf) {
    object["numActiveApps"] = view.active.size();
    object["numPendingApps"] = view.waiting.size();
  } else if (!forest.children(view).empty()) {
    Json& children = object["childQueues"]["queue"] = Json::array();
    for (const QueueView* child : forest.children(view)) {
      children.push_back(fair_queue(snapshot, forest, *child));
    }
  }
  add_page(object, queue);
  return object;
}

Json fair_scheduler(const SchedulerSnapshot& snapshot) {
  Json info = {{"type", "fairScheduler"}};
  const QueueForest forest(snapshot.queues);
  for (const QueueView* root : forest.roots()) {
    info["rootQueue"] = fair_queue(snapshot, forest, *root);
  }
  return info;
}

// Its one queue has all of the cluster, and is never stopped.
Json fifo_scheduler(const SchedulerSnapshot& snapshot) {
  const std::int64_t all = snapshot.capacity.memory_mib();
  const std::int64_t free = snapshot.free.memory_mib();
  const double used_share =
      all > 0 ? static_cast<double>(all - free) / static_cast<double>(all) : 0;
  return {{"type", "fifoScheduler"},
          {"capacity", 1.0},
          {"usedCapacity", used_share},
          {"qstate", "RUNNING"},
          {"numNodes", snapshot.nodes},
          {"usedNodeCapacity", all - free},
          {"availNodeCapacity", free},
          {"totalNodeCapacity", all},
          {"numContainers", snapshot.containers}};
}

Json other_scheduler(const SchedulerSnapshot& snapshot) {
  Json queues = Json::array();
  for (const QueueView& view : snapshot.queues) {
    Json queue = {{"queueName", view.queue.path}, {"resourcesUsed", resource_info(view.used)}};
    add_page(queue, view.queue);
    queues.push_back(std::move(queue));
  }
  return {{"type", snapshot.scheduler}, {"queues", {{"queue", std::move(queues)}}}};
}

}  // namespace

Json scheduler_info(const SchedulerSnapshot& snapshot) {
  switch (snapshot.form) {
    case SchedulerInfoForm::capacity:
      return capacity_scheduler(snapshot);
    case SchedulerInfoForm::fair:
      return fair_scheduler(snapshot);
    case SchedulerInfoForm::fifo:
      return fifo_scheduler(snapshot);
    case SchedulerInfoForm::own:
      break;
  }
  return other_scheduler(snapshot);
}

}  // namespace tracebed
