#include "schedulers/yarn/capacity/queue_creation.h"

#include <algorithm>
#include <map>

#include "schedulers/yarn/capacity/capacity_checks.h"
#include "schedulers/yarn/capacity/queue_properties.h"
#include "schedulers/yarn/configuration/configuration_bounds.h"

namespace tracebed {
namespace {

// Without its capacities.
CapacityQueue managed_leaf(const CapacityConfiguration& configuration, std::size_t parent,
                           const std::string& name) {
  const std::string& above = configuration.queues[parent].path;
  CapacityQueue leaf = configuration.managed_templates.find(above)->second;
  leaf.path = above + "." + name;
  leaf.parent = parent;
  for (auto& [label, figures] : leaf.partitions) figures.capacity = figures.capacity.nothing();
  return leaf;
}

// Whether a queue with a weight can be created beside those below `parent`: with one form for all
// of them, if they have weights (getCapacityConfigurationTypeForQueues).
bool takes_weights(const CapacityConfiguration& configuration, const CapacityQueue& parent) {
  if (configuration.forms == CapacityForms::any || parent.children.empty()) return true;
  const auto& partitions = configuration.queues[parent.children.front()].partitions;
  return std::any_of(partitions.begin(), partitions.end(), [](const auto& each) {
    return each.second.capacity.form == ConfiguredCapacity::Form::weight;
  });
}

class CreationPlan {
 public:
  explicit CreationPlan(const CapacitySettings& settings)
      : settings_(settings), configuration_(settings.configuration) {}

  Result<PlannedQueues> make(const std::string& name);
  // The properties of one queue, checked.
  Result<CapacityQueue> read(const CapacityQueue& parent, std::size_t parent_index,
                             const QueueToRead& wanted) const;

 private:
  struct Existing {
    const NamedQueue* queue = nullptr;
    std::size_t parts = 0;  // of the name that it is called by
  };
  // The deepest queue on the way that is there.
  Result<Existing> find_existing(const std::vector<std::string>& parts) const;
  Result<PlannedQueues> make_managed(std::size_t parent, const std::string& name,
                                     std::size_t missing) const;
  Status check_levels(const CapacityQueue& existing, std::size_t missing) const;
  Status check_room(const CapacityQueue& existing, std::size_t missing) const;
  Status check_bounds(const CapacityQueue& created) const;

  const CapacityQueue& queue(std::size_t index) const { return configuration_.queues[index]; }

  const CapacitySettings& settings_;
  const CapacityConfiguration& configuration_;
};

Result<CreationPlan::Existing> CreationPlan::find_existing(
    const std::vector<std::string>& parts) const {
  const NamedQueues& names = configuration_.mapping_rules.names();
  for (std::size_t count = parts.size() - 1; count > 0; --count) {
    const std::string path =
        joined_path({parts.begin(), parts.begin() + static_cast<std::ptrdiff_t>(count)});
    if (names.is_ambiguous(path)) return Error{"several queues are called " + path};
    if (const NamedQueue* found = names.find(path)) return Existing{found, count};
  }
  return Error{"none of the queues above it is there"};
}

// CapacitySchedulerQueueManager.determineMissingParents
Status CreationPlan::check_levels(const CapacityQueue& existing, std::size_t missing) const {
  std::size_t levels = missing;
  const CapacityQueue* fixed = &existing;
  for (; fixed->is_created; fixed = &queue(fixed->parent)) ++levels;
  if (static_cast<std::int64_t>(levels) <= fixed->created_levels_max) return success();
  return Error{"it would be in the level " + std::to_string(levels) + " below " + fixed->path +
               ", of at most " + std::to_string(fixed->created_levels_max) +
               " (maximum-queue-depth)"};
}

// ParentQueue.addDynamicChildQueue
Status CreationPlan::check_room(const CapacityQueue& existing, std::size_t missing) const {
  if (static_cast<std::int64_t>(existing.children.size()) >= existing.child_queues_max) {
    return Error{"queue " + existing.path + " has " + std::to_string(existing.children.size()) +
                 " queues below it, of at most " + std::to_string(existing.child_queues_max) +
                 " (max-queues)"};
  }
  if (!existing.manages_queues && !takes_weights(configuration_, existing)) {
    return Error{"the queues below " + existing.path +
                 " have no weights, with which alone queues can be created beside them"};
  }
  const auto depth =
      static_cast<std::size_t>(std::count(existing.path.begin(), existing.path.end(), '.'));
  if (depth + missing > queue_levels_max) {
    return Error{"there may be at most " + std::to_string(queue_levels_max) + " levels of queues"};
  }
  if (configuration_.queues.size() + missing > queues_max) {
    return Error{"there may be at most " + std::to_string(queues_max) + " queues in all"};
  }
  return success();
}

Status CreationPlan::check_bounds(const CapacityQueue& created) const {
  const std::size_t weights = configuration_.user_weights + created.user_weights.size();
  if (weights > user_weights_max) {
    return Error{"there may be at most " + std::to_string(user_weights_max) +
                 " weights of users in all queues"};
  }
  std::set<std::string> labels = configuration_.mentioned_labels;
  for (const auto& [label, capacity] : created.partitions) labels.insert(label);
  labels.insert(created.accessible_labels.begin(), created.accessible_labels.end());
  if (labels.size() * (configuration_.queues.size() + 1) <= queues_by_labels_max) return success();
  return Error{"there may be at most " + std::to_string(queues_by_labels_max) +
               " queues times labels that they mention"};
}

Result<CapacityQueue> CreationPlan::read(const CapacityQueue& parent, std::size_t parent_index,
                                         const QueueToRead& wanted) const {
  const QueueTemplates::Properties made =
      settings_.templates.properties_of(parent.path + "." + wanted.name, wanted.is_leaf);
  Result<LoadedQueue> read = read_created_queue(made.properties, settings_.dimensions,
                                                settings_.generation, parent, wanted);
  if (!read) return read.error();
  CapacityQueue& queue = read->queue;
  queue.parent = parent_index;
  Status status = check_bounds(queue);
  if (status) status = check_created_queue(queue, parent, made.properties);
  if (status) status = check_maximum_allocation(settings_, queue, made.properties);
  if (!status) return status.error();
  return std::move(queue);
}

Result<PlannedQueues> CreationPlan::make_managed(std::size_t parent, const std::string& name,
                                                 std::size_t missing) const {
  if (missing > 1) return Error{"only leaves are created below " + queue(parent).path};
  if (const Status status = check_room(queue(parent), missing); !status) return status.error();
  PlannedQueues planned{{managed_leaf(configuration_, parent, name)}, true};
  if (const Status status = check_bounds(planned.leaf()); !status) return status.error();
  return planned;
}

Result<PlannedQueues> CreationPlan::make(const std::string& name) {
  const std::vector<std::string> parts = path_parts(name);
  if (parts.size() < 2) {
    return Error{"only a path can be, such as root." + name};
  }
  if (std::any_of(parts.begin(), parts.end(), [](const auto& part) { return part.empty(); })) {
    return Error{"a part of its path is empty"};
  }
  const Result<Existing> found = find_existing(parts);
  if (!found) return found.error();
  const std::size_t index = found->queue->index;
  const CapacityQueue& existing = queue(index);
  const std::size_t missing = parts.size() - found->parts;
  if (existing.is_leaf()) return Error{"queue " + existing.path + " is a leaf"};
  if (existing.manages_queues) return make_managed(index, parts.back(), missing);
  if (!existing.creates_queues) {
    return Error{"queues are not created below " + existing.path};
  }
  if (const Status status = check_levels(existing, missing); !status) return status.error();
  if (const Status status = check_room(existing, missing); !status) return status.error();
  PlannedQueues planned;
  for (std::size_t i = 0; i < missing; ++i) {
    const std::size_t parent_index = i == 0 ? index : configuration_.queues.size() + i - 1;
    const CapacityQueue& parent = i == 0 ? existing : planned.queues.back();
    Result<CapacityQueue> next =
        read(parent, parent_index, {parts[found->parts + i], i + 1 == missing});
    if (!next) return next.error();
    planned.queues.push_back(std::move(*next));
  }
  return planned;
}

}  // namespace

Result<PlannedQueues> plan_creation(const CapacitySettings& settings, const std::string& name) {
  return CreationPlan(settings).make(name);
}

void add_created(CapacityConfiguration& configuration, CapacityQueue queue) {
  const std::size_t index = configuration.queues.size();
  configuration.queues[queue.parent].children.push_back(index);
  configuration.user_weights += queue.user_weights.size();
  for (const auto& [label, capacity] : queue.partitions) {
    configuration.mentioned_labels.insert(label);
  }
  configuration.mapping_rules.add_queue(
      {queue.path, queue.is_leaf(), queue.creates_queues, queue.manages_queues, index});
  configuration.queues.push_back(std::move(queue));
}

Status keep_created(const CapacityConfiguration& before, CapacitySettings& settings) {
  CapacityConfiguration& configuration = settings.configuration;
  std::map<std::string, std::size_t, std::less<>> indexes;
  for (const CapacityQueue& queue : configuration.queues) {
    indexes.emplace(queue.path, indexes.size());
  }
  for (const CapacityQueue& created : before.queues) {
    if (!created.is_created || indexes.contains(created.path)) continue;
    const CapacityQueue& parent_before = before.queues[created.parent];
    const auto parent = indexes.find(parent_before.path);
    if (parent == indexes.end()) continue;
    const CapacityQueue& above = configuration.queues[parent->second];
    if (above.is_leaf() && !parent_before.is_created) continue;
    if (above.manages_queues != parent_before.manages_queues) continue;
    if (above.manages_queues) {
      const std::string name = created.path.substr(created.path.rfind('.') + 1);
      indexes.emplace(created.path, configuration.queues.size());
      add_created(configuration, managed_leaf(configuration, parent->second, name));
      continue;
    }
    if (!takes_weights(configuration, above)) {
      return Error{"queue " + created.path + " was created and has a weight: expected weights of " +
                   "all queues below " + above.path};
    }
    Result<CapacityQueue> queue = CreationPlan(settings).read(
        above, parent->second,
        {created.path.substr(created.path.rfind('.') + 1), !created.creates_queues});
    if (!queue) return queue.error();
    indexes.emplace(created.path, configuration.queues.size());
    add_created(configuration, std::move(*queue));
  }
  return success();
}

void remove_created(CapacityConfiguration& configuration,
                    const std::set<std::string, std::less<>>& paths) {
  std::vector<CapacityQueue> rest;
  std::vector<std::size_t> moved(configuration.queues.size());
  for (std::size_t i = 0; i < configuration.queues.size(); ++i) {
    CapacityQueue& queue = configuration.queues[i];
    if (paths.contains(queue.path)) {
      configuration.user_weights -= queue.user_weights.size();
      continue;
    }
    moved[i] = rest.size();
    queue.parent = moved[queue.parent];
    queue.children.clear();
    if (i > 0) rest[queue.parent].children.push_back(rest.size());
    rest.push_back(std::move(queue));
  }
  configuration.queues = std::move(rest);
  configuration.mapping_rules.set_names(names_of(configuration));
}

}  // namespace tracebed
