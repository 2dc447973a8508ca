#include "coordinator/api/scheduler_json.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/figure.h"
#include "report/figure_json.h"
#include "report/queue_page.h"

namespace tracebed {
namespace {

using Json = nlohmann::ordered_json;

struct Field {
  std::string_view figure;  // its id in the scheduler's figures
  const char* name;         // as YARN's object has it
};

// CapacitySchedulerQueueInfo, and what its root has of it (CapacitySchedulerInfo).
constexpr std::array capacity_root_fields{
    Field{"capacity", "capacity"},
    Field{"used_capacity", "usedCapacity"},
    Field{"maximum_capacity", "maxCapacity"},
};
constexpr std::array capacity_fields{
    Field{"absolute_capacity", "absoluteCapacity"},
    Field{"absolute_maximum_capacity", "absoluteMaxCapacity"},
    Field{"absolute_used_capacity", "absoluteUsedCapacity"},
    Field{"containers", "allocatedContainers"},
};
constexpr std::array capacity_resources{
    Field{"guaranteed", "minEffectiveCapacity"},
    Field{"maximum_resources", "maxEffectiveCapacity"},
};
// CapacitySchedulerLeafQueueInfo; the numbers of active applications are those of Hadoop 2.0.
constexpr std::array capacity_leaf_fields{
    Field{"active_applications", "numActiveApplications"},
    Field{"pending_applications", "numPendingApplications"},
    Field{"containers", "numContainers"},
    Field{"maximum_applications", "maxApplications"},
    Field{"maximum_applications_of_user", "maxApplicationsPerUser"},
    Field{"maximum_active_applications", "maxActiveApplications"},
    Field{"maximum_active_applications_of_user", "maxActiveApplicationsPerUser"},
    Field{"minimum_user_limit", "userLimit"},
    Field{"user_limit_factor", "userLimitFactor"},
    Field{"master_limit", "AMResourceLimit"},
    Field{"masters", "usedAMResource"},
    Field{"master_limit_of_user", "userAMResourceLimit"},
};
// FairSchedulerQueueInfo and FairSchedulerLeafQueueInfo.
constexpr std::array fair_fields{
    Field{"maximum_running_applications", "maxApps"},
    Field{"minimum", "minResources"},
    Field{"demand", "demandResources"},
    Field{"steady_fair_share", "steadyFairResources"},
    Field{"fair_share", "fairResources"},
    Field{"masters", "amUsedResources"},
    Field{"master_limit", "amMaxResources"},
};

// {"memory": 4096, "vCores": 4}, as YARN's ResourceInfo has them; a part of a vcore is a fraction.
Json resource_info(const Resources& resources) {
  constexpr std::int64_t vcore = 1'000;
  const std::int64_t milli_vcores = resources.milli_vcores();
  return {{"memory", resources.memory_mib()},
          {"vCores", milli_vcores % vcore == 0 ? Json(milli_vcores / vcore)
                                               : Json(static_cast<double>(milli_vcores) / vcore)}};
}

// YARN's numbers are 32-bit floats, so further digits of one that was computed as it does are
// noise.
Json float_info(double number) {
  if (!std::isfinite(number)) return nullptr;
  std::array<char, 32> text{};
  constexpr int digits = 7;
  const auto written = std::to_chars(text.data(), text.data() + text.size(), number,
                                     std::chars_format::general, digits);
  std::from_chars(text.data(), written.ptr, number);
  return number;
}

Resources where_limited(const ResourceLimit& limit, const Resources& otherwise) {
  Resources most = otherwise;
  for (std::size_t d = 0; d < Resources::dimensions_max; ++d) {
    if (limit.is_limited[d]) most[d] = limit.most[d];
  }
  return most;
}

// As YARN's objects have them: parts in percent, and instead of no limit all that there is. Null
// where they leave the field out.
struct FieldValue {
  const Resources& capacity;

  Json operator()(bool value) const { return value; }
  Json operator()(std::int64_t count) const { return count; }
  Json operator()(double number) const { return float_info(number); }
  Json operator()(Ratio part) const { return float_info(part.value * 100); }
  Json operator()(Duration time) const { return time / milliseconds(1); }
  Json operator()(const Resources& amount) const { return resource_info(amount); }
  Json operator()(const ResourceLimit& limit) const {
    return resource_info(where_limited(limit, capacity));
  }
  Json operator()(Unlimited) const { return nullptr; }
  Json operator()(const std::string& text) const { return text; }
};

class QueueFields {
 public:
  QueueFields(const SchedulerSnapshot& snapshot, const ExplainedQueue& queue, Json& object)
      : snapshot_(snapshot), queue_(queue), object_(object) {}

  void add(const Field& field) {
    const Figure* figure = find_figure(queue_.figures, field.figure);
    if (figure == nullptr) return;
    Json value = std::visit(FieldValue{snapshot_.capacity}, figure->value);
    if (!value.is_null()) object_[field.name] = std::move(value);
  }
  template <class Fields>
  void add_all(const Fields& fields) {
    for (const Field& field : fields) add(field);
  }
  void add_page() {
    Json& page = object_["queuePage"] = Json::object();
    for (auto& [label, text] : page_figures(queue_, snapshot_.dimensions)) {
      page[label] = std::move(text);
    }
  }

 private:
  const SchedulerSnapshot& snapshot_;
  const ExplainedQueue& queue_;
  Json& object_;
};

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

Json capacity_queues(const SchedulerSnapshot& snapshot, const QueueForest& forest,
                     const QueueView& parent);

Json capacity_queue(const SchedulerSnapshot& snapshot, const QueueForest& forest,
                    const QueueView& view) {
  const ExplainedQueue& queue = view.queue;
  Json object = Json::object();
  QueueFields fields(snapshot, queue, object);
  if (queue.is_leaf) object["type"] = "capacitySchedulerLeafQueueInfo";
  object["queuePath"] = queue.path;
  fields.add_all(capacity_root_fields);
  fields.add_all(capacity_fields);
  object["numApplications"] = forest.applications(view);
  object["queueName"] = queue.path.substr(queue.path.rfind('.') + 1);
  fields.add({"queue_state", "state"});
  object["resourcesUsed"] = resource_info(view.used);
  fields.add_all(capacity_resources);
  if (queue.is_leaf) {
    fields.add_all(capacity_leaf_fields);
  } else {
    object["queues"] = capacity_queues(snapshot, forest, view);
  }
  fields.add_page();
  return object;
}

Json capacity_queues(const SchedulerSnapshot& snapshot, const QueueForest& forest,
                     const QueueView& parent) {
  Json queues = Json::array();
  for (const QueueView* child : forest.children(parent)) {
    queues.push_back(capacity_queue(snapshot, forest, *child));
  }
  return {{"queue", std::move(queues)}};
}

Json capacity_scheduler(const SchedulerSnapshot& snapshot) {
  Json info = {{"type", "capacityScheduler"}};
  const QueueForest forest(snapshot.queues);
  for (const QueueView* root : forest.roots()) {
    QueueFields fields(snapshot, root->queue, info);
    fields.add_all(capacity_root_fields);
    info["queueName"] = root->queue.path;
    info["queues"] = capacity_queues(snapshot, forest, *root);
    fields.add_page();
  }
  return info;
}

Json fair_queue(const SchedulerSnapshot& snapshot, const QueueForest& forest,
                const QueueView& view) {
  const ExplainedQueue& queue = view.queue;
  Json object = Json::object();
  QueueFields fields(snapshot, queue, object);
  if (queue.is_leaf) object["type"] = "fairSchedulerLeafQueueInfo";
  fields.add_all(fair_fields);
  const Figure* maximum = find_figure(queue.figures, "maximum");
  if (const auto* limit =
          maximum == nullptr ? nullptr : std::get_if<ResourceLimit>(&maximum->value)) {
    object["maxResources"] = resource_info(
        component_minimum(where_limited(*limit, snapshot.capacity), snapshot.capacity));
  }
  object["usedResources"] = resource_info(view.used);
  object["clusterResources"] = resource_info(snapshot.capacity);
  object["queueName"] = queue.path;
  fields.add({"scheduling_policy", "schedulingPolicy"});
  if (queue.is_leaf) {
    object["numActiveApps"] = view.active.size();
    object["numPendingApps"] = view.waiting.size();
  } else if (!forest.children(view).empty()) {
    Json& children = object["childQueues"]["queue"] = Json::array();
    for (const QueueView* child : forest.children(view)) {
      children.push_back(fair_queue(snapshot, forest, *child));
    }
  }
  fields.add_page();
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
    Json& figures = queue["figures"] = Json::object();
    for (const Figure& figure : view.queue.figures) {
      figures[figure.id] = figure_json(figure.value, snapshot.dimensions);
    }
    QueueFields(snapshot, view.queue, queue).add_page();
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
