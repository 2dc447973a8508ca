#include "coordinator/api/resource_manager/scheduler_json.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "coordinator/api/resource_manager/queue_wants.h"
#include "coordinator/api/resource_manager/resource_json.h"
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
    Field{"maximum_allocation", "maximumAllocation"},
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
    Field{"master_share", "configuredMaxAMResourceLimit"},
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

// What a scheduler's page is made of.
struct Shown {
  explicit Shown(const RunSnapshot& run)
      : snapshot(run.scheduler), forest(run.scheduler.queues), wants(wants_of(run)) {}

  const QueueWants& wants_below(const QueueView& queue) const {
    static const QueueWants nothing;
    const auto found = wants.find(queue.queue.path);
    return found == wants.end() ? nothing : found->second;
  }

  const SchedulerSnapshot& snapshot;
  QueueForest forest;
  WantsByPath wants;
};

template <class Value>
const Value* value_of(const QueueView& queue, std::string_view figure) {
  const Figure* const found = find_figure(queue.queue.figures, figure);
  return found == nullptr ? nullptr : std::get_if<Value>(&found->value);
}

// QueueCapacitiesInfo and ResourcesInfo, of the default partition alone.
void add_default_partition(const QueueView& view, const QueueWants& wants, Json& object) {
  Json capacities = {{"partitionName", ""}};
  for (const char* field : {"capacity", "usedCapacity", "maxCapacity", "absoluteCapacity",
                            "absoluteUsedCapacity", "absoluteMaxCapacity"}) {
    if (object.contains(field)) capacities[field] = object[field];
  }
  object["capacities"]["queueCapacitiesByPartition"] = Json::array({std::move(capacities)});
  Json usage = {{"partitionName", ""}, {"used", resource_info(view.used, Had::taken)}};
  if (const Resources* reserved = value_of<Resources>(view, "reserved")) {
    usage["reserved"] = resource_info(*reserved, Had::taken);
  }
  usage["pending"] = resource_info(wants.pending, Had::taken);
  if (const Resources* masters = value_of<Resources>(view, "masters")) {
    usage["amUsed"] = resource_info(*masters, Had::taken);
  }
  if (const Resources* limit = value_of<Resources>(view, "master_limit")) {
    usage["amLimit"] = resource_info(*limit);
  }
  object["resources"]["resourceUsagesByPartition"] = Json::array({std::move(usage)});
}

// Without preemption none is enabled for any queue (AbstractCSQueue).
bool is_disabled(const QueueView& queue, std::string_view figure) {
  const auto* const text = value_of<std::string>(queue, figure);
  return text == nullptr || *text == "disabled";
}

Json capacity_queues(const Shown& shown, const QueueView& parent);

Json capacity_queue(const Shown& shown, const QueueView& view) {
  const ExplainedQueue& queue = view.queue;
  const QueueWants& wants = shown.wants_below(view);
  Json object = Json::object();
  QueueFields fields(shown.snapshot, queue, object);
  if (queue.is_leaf) object["type"] = "capacitySchedulerLeafQueueInfo";
  object["queuePath"] = queue.path;
  fields.add_all(capacity_root_fields);
  fields.add_all(capacity_fields);
  object["reservedContainers"] = wants.containers_reserved;
  object["pendingContainers"] = wants.containers_pending;
  object["numApplications"] = shown.forest.applications(view);
  object["queueName"] = queue.path.substr(queue.path.rfind('.') + 1);
  fields.add({"queue_state", "state"});
  object["usedResources"] = resource_text(view.used);
  object["resourcesUsed"] = resource_info(view.used, Had::taken);
  fields.add_all(capacity_resources);
  add_default_partition(view, wants, object);
  object["preemptionDisabled"] = is_disabled(view, "preemption");
  object["intraQueuePreemptionDisabled"] = is_disabled(view, "intra_queue_preemption");
  if (queue.is_leaf) {
    fields.add_all(capacity_leaf_fields);
    object["users"] = users_info(view, wants);
  } else {
    object["queues"] = capacity_queues(shown, view);
  }
  fields.add_page();
  return object;
}

Json capacity_queues(const Shown& shown, const QueueView& parent) {
  Json queues = Json::array();
  for (const QueueView* child : shown.forest.children(parent)) {
    queues.push_back(capacity_queue(shown, *child));
  }
  return {{"queue", std::move(queues)}};
}

Json capacity_scheduler(const RunSnapshot& run) {
  Json info = {{"type", "capacityScheduler"}};
  const Shown shown(run);
  for (const QueueView* root : shown.forest.roots()) {
    QueueFields fields(shown.snapshot, root->queue, info);
    fields.add_all(capacity_root_fields);
    info["queueName"] = root->queue.path;
    info["queues"] = capacity_queues(shown, *root);
    fields.add_page();
  }
  return info;
}

Json fair_queue(const Shown& shown, const QueueView& view) {
  const SchedulerSnapshot& snapshot = shown.snapshot;
  const ExplainedQueue& queue = view.queue;
  Json object = Json::object();
  QueueFields fields(snapshot, queue, object);
  if (queue.is_leaf) object["type"] = "fairSchedulerLeafQueueInfo";
  fields.add_all(fair_fields);
  if (value_of<Unlimited>(view, "maximum_running_applications") != nullptr) {
    object["maxApps"] = std::numeric_limits<std::int32_t>::max();
  }
  const Figure* maximum = find_figure(queue.figures, "maximum");
  if (const auto* limit =
          maximum == nullptr ? nullptr : std::get_if<ResourceLimit>(&maximum->value)) {
    object["maxResources"] = resource_info(
        component_minimum(where_limited(*limit, snapshot.capacity), snapshot.capacity));
  }
  object["usedResources"] = resource_info(view.used, Had::taken);
  object["reservedContainers"] = shown.wants_below(view).containers_reserved;
  object["clusterResources"] = resource_info(snapshot.capacity);
  object["queueName"] = queue.path;
  fields.add({"scheduling_policy", "schedulingPolicy"});
  if (queue.is_leaf) {
    object["numActiveApps"] = view.active.size();
    object["numPendingApps"] = view.waiting.size();
  } else if (!shown.forest.children(view).empty()) {
    Json& children = object["childQueues"]["queue"] = Json::array();
    for (const QueueView* child : shown.forest.children(view)) {
      children.push_back(fair_queue(shown, *child));
    }
  }
  fields.add_page();
  return object;
}

Json fair_scheduler(const RunSnapshot& run) {
  Json info = {{"type", "fairScheduler"}};
  const Shown shown(run);
  for (const QueueView* root : shown.forest.roots()) {
    info["rootQueue"] = fair_queue(shown, *root);
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
    Json queue = {{"queueName", view.queue.path},
                  {"resourcesUsed", resource_info(view.used, Had::taken)}};
    Json& figures = queue["figures"] = Json::object();
    for (const Figure& figure : view.queue.figures) {
      figures[std::string(figure.id)] = figure_json(figure.value, snapshot.dimensions);
    }
    QueueFields(snapshot, view.queue, queue).add_page();
    queues.push_back(std::move(queue));
  }
  return {{"type", snapshot.scheduler}, {"queues", {{"queue", std::move(queues)}}}};
}

}  // namespace

Json scheduler_info(const RunSnapshot& run) {
  switch (run.scheduler.form) {
    case SchedulerInfoForm::capacity:
      return capacity_scheduler(run);
    case SchedulerInfoForm::fair:
      return fair_scheduler(run);
    case SchedulerInfoForm::fifo:
      return fifo_scheduler(run.scheduler);
    case SchedulerInfoForm::own:
      break;
  }
  return other_scheduler(run.scheduler);
}

}  // namespace tracebed
