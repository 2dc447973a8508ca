#include "schedulers/yarn/capacity/capacity_configuration.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <set>
#include <string_view>

#include "schedulers/parts/java_int.h"
#include "schedulers/yarn/capacity/capacity_checks.h"
#include "schedulers/yarn/capacity/capacity_prefix.h"
#include "schedulers/yarn/capacity/placement/read_mapping_rules.h"
#include "schedulers/yarn/capacity/queue_properties.h"
#include "schedulers/yarn/capacity/queue_templates.h"
#include "schedulers/yarn/capacity/system_properties.h"
#include "schedulers/yarn/configuration/configuration_bounds.h"
#include "schedulers/yarn/configuration/property_reader.h"
#include "schedulers/yarn/configuration/property_tables.h"

namespace tracebed {
namespace {

// The number that the whole text is.
std::optional<float> parse_decimal(std::string_view text) {
  float number = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_number = failure == std::errc() && end == text.data() + text.size();
  return is_number ? std::optional(number) : std::nullopt;
}

class ConfigurationLoader {
 public:
  ConfigurationLoader(const HadoopProperties& properties, const ResourceDimensions& dimensions,
                      YarnGeneration generation)
      : properties_(properties),
        dimensions_(dimensions),
        generation_(generation),
        reader_(properties) {}

  Result<LoadedCapacityConfiguration> load() {
    read_system_properties(reader_, properties_, generation_, configuration_);
    read_queue("root", 0);
    if (const Status status = reader_.status(); !status) return status.error();
    const Status managed = check_managed_templates(configuration_, properties_);
    if (!managed) return managed.error();
    if (const Status status = check_capacities(configuration_, properties_); !status) {
      return status.error();
    }
    if (const Status status = read_mappings(); !status) return status.error();
    PropertyReview reviewed = review();
    return LoadedCapacityConfiguration{std::move(configuration_), std::move(reviewed)};
  }

  Result<LoadedQueue> load_created(const CapacityQueue& parent, const QueueToRead& wanted) {
    configuration_.queues.push_back(parent);
    kind_ = wanted.is_leaf ? QueueKind::created_leaf : QueueKind::created_parent;
    CapacityQueue queue = read_properties(parent.path + "." + wanted.name, &parent);
    if (const Status status = reader_.status(); !status) return status.error();
    return LoadedQueue{std::move(queue), reader_.unread()};
  }

 private:
  enum class QueueKind : std::uint8_t { configured, created_leaf, created_parent, managed_leaf };

  void read_queue(const std::string& path, std::size_t parent);
  CapacityQueue read_properties(const std::string& path, const CapacityQueue* parent);
  void read_children(std::size_t index);
  void read_managed_template(const CapacityQueue& parent);
  void read_inherited(CapacityQueue& queue, const CapacityQueue* parent);
  void read_maximum_allocation(CapacityQueue& queue);
  void read_order(CapacityQueue& queue, const CapacityQueue* parent);
  void read_partitions(CapacityQueue& queue);
  bool states_no_maximum(const std::string& name);
  bool is_label_passed_over(const std::string& begin);
  void bound_labels(const CapacityQueue& queue);
  ConfiguredCapacity read_capacity(const std::string& name, ConfiguredCapacity otherwise);
  QueueAcl read_acl(const std::string& path, std::string_view key);
  // Once the queues are known.
  Status read_mappings();
  PropertyReview review() const;

  const HadoopProperties& properties_;
  const ResourceDimensions& dimensions_;
  const YarnGeneration generation_;
  PropertyReader reader_;
  std::vector<std::string> remarks_;
  CapacityConfiguration configuration_;
  PropertyReview mapping_review_;
  QueueKind kind_ = QueueKind::configured;
};

void ConfigurationLoader::read_queue(const std::string& path, std::size_t parent_index) {
  const std::size_t index = configuration_.queues.size();
  CapacityQueue queue =
      read_properties(path, index == 0 ? nullptr : &configuration_.queues[parent_index]);
  queue.parent = parent_index;
  configuration_.queues.push_back(std::move(queue));
  read_children(index);
}

CapacityQueue ConfigurationLoader::read_properties(const std::string& path,
                                                   const CapacityQueue* parent) {
  CapacityQueue queue;
  queue.path = path;
  queue.is_created = kind_ != QueueKind::configured;
  queue.creates_queues = kind_ == QueueKind::created_parent;
  read_creation(reader_, queue);
  read_inherited(queue, parent);
  read_partitions(queue);
  bound_labels(queue);
  read_leaf_limits(reader_, queue);
  read_order(queue, parent);
  queue.submitters = read_acl(path, "acl_submit_applications");
  queue.administrators = read_acl(path, "acl_administer_queue");
  queue.allows_zero_capacity_sum =
      reader_.flag(capacity_property(path, "allow-zero-capacity-sum"), false);
  queue.priority = static_cast<std::int32_t>(
      reader_.integer(capacity_property(path, "priority"), 0, -java_int_max, java_int_max));
  return queue;
}

void ConfigurationLoader::read_children(std::size_t index) {
  const std::string path = configuration_.queues[index].path;
  const std::string below = path + ".";
  const std::string name = capacity_property(path, "queues");
  const std::vector<std::string> children = reader_.list(name);
  if (index == 0 && children.empty() && !configuration_.queues[0].creates_queues) {
    reader_.fail(name, "the names of the root's queues");
  }
  if (configuration_.queues[index].manages_queues) {
    if (!children.empty()) reader_.fail(name, "none beside auto-create-child-queue.enabled");
    return read_managed_template(configuration_.queues[index]);
  }
  const auto level = static_cast<std::size_t>(std::count(path.begin(), path.end(), '.'));
  if (!children.empty() && level >= queue_levels_max) {
    return reader_.fail(name, "queues in at most " + std::to_string(queue_levels_max) + " levels");
  }
  std::set<std::string_view> names;
  for (const std::string& child : children) {
    if (child.find('.') != std::string::npos) {
      return reader_.fail(name, "names without dots");
    }
    if (!names.insert(child).second) return reader_.fail(name, "each queue once");
    if (configuration_.queues.size() == queues_max) {
      return reader_.fail(name, "at most " + std::to_string(queues_max) + " queues in all");
    }
    configuration_.queues[index].children.push_back(configuration_.queues.size());
    read_queue(below + child, index);
    if (!reader_.status()) return;  // the rest might inherit more than the bounds allow
  }
}

// ManagedParentQueue.initializeLeafQueueConfigs
void ConfigurationLoader::read_managed_template(const CapacityQueue& parent) {
  kind_ = QueueKind::managed_leaf;
  CapacityQueue leaf = read_properties(parent.path + managed_template_key, &parent);
  kind_ = QueueKind::configured;
  leaf.is_removed_when_unused = false;
  configuration_.managed_templates.emplace(parent.path, std::move(leaf));
}

void ConfigurationLoader::read_inherited(CapacityQueue& queue, const CapacityQueue* parent) {
  const CapacityQueue absent;
  const CapacityQueue& above = parent == nullptr ? absent : *parent;
  const auto name = [&](std::string_view key) { return capacity_property(queue.path, key); };
  queue.state = read_state(reader_, queue.path, above.state);
  queue.is_preemption_disabled =
      reader_.flag(name("disable_preemption"), above.is_preemption_disabled);
  queue.is_intra_queue_preemption_disabled = reader_.flag(
      name("intra-queue-preemption.disable_preemption"), above.is_intra_queue_preemption_disabled);
  queue.maximum_application_lifetime_s =
      reader_.integer(name("maximum-application-lifetime"), above.maximum_application_lifetime_s);
  queue.default_application_lifetime_s =
      reader_.integer(name("default-application-lifetime"), above.default_application_lifetime_s);
  // A blank is there, and means none.
  queue.accessible_labels = reader_.raw(name("accessible-node-labels")) && parent != nullptr
                                ? reader_.list(name("accessible-node-labels"))
                                : above.accessible_labels;
  if (parent == nullptr) queue.accessible_labels = {"*"};
  queue.default_label = reader_.text(name("default-node-label-expression"), above.default_label);
  queue.maximum_allocation = above.maximum_allocation;
  read_maximum_allocation(queue);
  queue.user_weights = above.user_weights;
  read_user_weights(reader_, properties_, queue);
  configuration_.user_weights += queue.user_weights.size();
  if (configuration_.user_weights > user_weights_max) {
    queue.user_weights.clear();
    reader_.fail(capacity_property(queue.path, "queues"),
                 "at most " + std::to_string(user_weights_max) +
                     " weights of users in all queues, with those that they inherit");
  }
}

// QueueAllocationSettings.setupMaximumAllocation: the two old properties count only where the new
// one is not there. What the new one does not name is inherited, too; YARN makes it 0, so that the
// queue could serve no request at all.
void ConfigurationLoader::read_maximum_allocation(CapacityQueue& queue) {
  const std::string whole = capacity_property(queue.path, "maximum-allocation");
  if (const std::string text = reader_.text(whole, ""); !text.empty()) {
    const auto amounts = parse_capacity(text.front() == '[' ? text : "[" + text + "]", dimensions_);
    if (!amounts) return reader_.fail(whole, "amounts as in memory-mb=4096,vcores=8");
    for (std::size_t d = 0; d < amounts->amount.dimensions_used(); ++d) {
      if (amounts->amount[d] > 0) queue.maximum_allocation[d] = amounts->amount[d];
    }
    return;
  }
  const auto read = [&](std::string_view key, std::size_t dimension, std::int64_t unit) {
    const std::optional<std::int64_t> amount =
        count_property(reader_, capacity_property(queue.path, key));
    if (amount) queue.maximum_allocation[dimension] = *amount * unit;
  };
  read("maximum-allocation-mb", Resources::memory_dimension, 1);
  read("maximum-allocation-vcores", Resources::vcores_dimension, 1'000);
}

// The same property orders the applications of a leaf and the children of a parent.
void ConfigurationLoader::read_order(CapacityQueue& queue, const CapacityQueue* parent) {
  const std::string name = capacity_property(queue.path, "ordering-policy");
  const bool is_parent =
      queue.creates_queues ||
      (!queue.is_created && reader_.has(capacity_property(queue.path, "queues")));
  const std::string policy = reader_.text(name, "");
  if (is_parent && (policy == "fifo" || policy == "fair")) {
    if (generation_ == YarnGeneration::hadoop_2) {
      return remarks_.push_back(properties_.place(name) +
                                ": is ignored: Hadoop 2 orders a parent's queues by their use");
    }
    return reader_.fail(name,
                        "utilization or priority-utilization on a parent, unless semantics = "
                        "\"hadoop-2.0\", which passes over fifo and fair there");
  }
  if (is_parent) {
    using Order = CapacityQueue::QueueOrder;
    const Order inherited = parent == nullptr ? Order::utilization : parent->queue_order;
    const auto otherwise = static_cast<std::size_t>(inherited == Order::priority_utilization);
    queue.queue_order =
        reader_.choice(name, otherwise, {"utilization", "priority-utilization"}) == 0
            ? Order::utilization
            : Order::priority_utilization;
    return;
  }
  using Order = CapacityQueue::ApplicationOrder;
  queue.application_order =
      reader_.choice(name, 0, {"fifo", "fair"}) == 0 ? Order::fifo : Order::fair;
  queue.has_size_based_weight = reader_.flag(
      capacity_property(queue.path, "ordering-policy.fair.enable-size-based-weight"), false);
}

ConfiguredCapacity ConfigurationLoader::read_capacity(const std::string& name,
                                                      ConfiguredCapacity otherwise) {
  const std::string text = reader_.text(name, "");
  if (text.empty()) return otherwise;
  const auto capacity = parse_capacity(text, dimensions_, configuration_.forms);
  if (capacity) return *capacity;
  reader_.fail(name, capacity.error().message);
  return otherwise;
}

void ConfigurationLoader::read_partitions(CapacityQueue& queue) {
  const bool is_root = configuration_.queues.empty();
  constexpr float share_max = 10'000;  // Hadoop takes any number
  const float of_all =
      reader_.fraction(capacity_property("maximum-am-resource-percent"), 0.1F, 0, share_max);
  const float of_queue = reader_.fraction(
      capacity_property(queue.path, "maximum-am-resource-percent"), of_all, 0, share_max);
  const bool has_any_form = configuration_.forms == CapacityForms::any && !is_root;
  const auto read = [&](const std::string& label, const std::string& begin) {
    PartitionCapacity& partition = queue.partitions[label];
    const ConfiguredCapacity otherwise =
        queue.is_created && kind_ != QueueKind::managed_leaf
            ? ConfiguredCapacity{ConfiguredCapacity::Form::weight, 1, {}}
        : has_any_form ? ConfiguredCapacity::none()
                       : ConfiguredCapacity::of_percent(is_root ? 100 : 0);
    if (has_any_form) partition.maximum = ConfiguredCapacity::none();
    partition.capacity = read_capacity(begin + "capacity", otherwise);
    if (is_root && !(partition.capacity == otherwise)) {
      reader_.fail(begin + "capacity", "100 for the root");
    }
    if (!states_no_maximum(begin + "maximum-capacity")) {
      partition.maximum = read_capacity(begin + "maximum-capacity", partition.maximum);
    }
    if (partition.maximum.has_weight()) {
      reader_.fail(begin + "maximum-capacity", "a percentage or amounts, no weight");
    }
    partition.application_master_share =
        reader_.fraction(begin + "maximum-am-resource-percent", of_queue, 0, share_max);
  };
  read("", capacity_property(queue.path, ""));
  // A label has figures of its own where the queue states any for it.
  const std::string begin = capacity_property(queue.path, "accessible-node-labels.");
  std::set<std::string> labels;
  for (const auto& [name, property] : properties_.beginning_with(begin)) {
    const std::string label =
        name.substr(begin.size(), name.find('.', begin.size()) - begin.size());
    if (!labels.insert(label).second) continue;
    if (!is_label_passed_over(begin + label + ".")) read(label, begin + label + ".");
  }
}

// In older files -1 stands for no maximum. Above 100 there is none, either.
bool ConfigurationLoader::states_no_maximum(const std::string& name) {
  const std::string text = reader_.text(name, "");
  if (text == "-1") return true;
  if (parse_decimal(text).value_or(0) <= 100) return false;
  remarks_.push_back(properties_.place(name) + ": counts as 100, the whole of the parent's");
  return true;
}

// Files of Hadoop 2.6 state -1 for labels that the cluster does not have, and of which nothing is
// read; for one that it has, that is an illegal capacity (getLabeledQueueCapacity).
bool ConfigurationLoader::is_label_passed_over(const std::string& begin) {
  const std::string name = begin + "capacity";
  if (reader_.text(name, "") != "-1") return false;
  for (const char* key : {"maximum-capacity", "maximum-am-resource-percent"}) {
    (void)reader_.raw(begin + key);
  }
  remarks_.push_back(properties_.place(name) +
                     ": is -1, so that this queue states nothing for the label; Hadoop refuses "
                     "that if the cluster has the label");
  return true;
}

// Every queue has figures in every partition.
void ConfigurationLoader::bound_labels(const CapacityQueue& queue) {
  std::set<std::string>& labels = configuration_.mentioned_labels;
  labels.insert(queue.accessible_labels.begin(), queue.accessible_labels.end());
  for (const auto& [label, capacity] : queue.partitions) labels.insert(label);
  if (labels.size() * (configuration_.queues.size() + 1) <= queues_by_labels_max) return;
  reader_.fail(
      capacity_property("root", "queues"),
      "at most " + std::to_string(queues_by_labels_max) + " queues times labels that they mention");
}

// Absent: nobody, but everybody at the root. A blank is there, and nobody.
QueueAcl ConfigurationLoader::read_acl(const std::string& path, std::string_view key) {
  return QueueAcl(reader_.raw(capacity_property(path, key)).value_or(path == "root" ? "*" : " "));
}

Status ConfigurationLoader::read_mappings() {
  Result<ReadMappings> read = read_mapping_rules(reader_, properties_, names_of(configuration_));
  if (!read) return read.error();
  configuration_.mapping_rules = std::move(read->rules);
  mapping_review_ = std::move(read->review);
  return success();
}

PropertyReview ConfigurationLoader::review() const {
  PropertyReview review;
  review.remarks = properties_.remarks();
  review.remarks.insert(review.remarks.end(), remarks_.begin(), remarks_.end());
  review.remarks.insert(review.remarks.end(), mapping_review_.remarks.begin(),
                        mapping_review_.remarks.end());
  review.unobeyed = mapping_review_.unobeyed;
  review_monitor_policies(properties_, review);
  const NamesOfCreatedQueues later(configuration_);
  for (const std::string& name : reader_.unread()) {
    if (is_of_template(name)) continue;
    const KnownProperty* known =
        known_property(known_capacity_properties(), in_managed_template(name, configuration_));
    const bool is_obeyed = known != nullptr && known->treatment == KnownProperty::Treatment::obeyed;
    const std::string value = properties_.find(name).value_or("");
    if (is_obeyed && (value.empty() || later.contain(name))) continue;
    const bool is_ours = name.starts_with(capacity_prefix) || name.starts_with(preemption_prefix);
    if (known != nullptr || is_ours) review.add(known, {name, properties_.place(name), value});
  }
  return review;
}

}  // namespace

const CapacityQueue* CapacityConfiguration::find(const std::string& name) const {
  const CapacityQueue* found = nullptr;
  for (const CapacityQueue& queue : queues) {
    if (queue.path == name) return &queue;
    if (!queue.is_leaf() || !queue.path.ends_with("." + name)) continue;
    if (found != nullptr) return nullptr;
    found = &queue;
  }
  return found;
}

Result<LoadedCapacityConfiguration> read_capacity_configuration(
    const HadoopProperties& properties, const ResourceDimensions& dimensions,
    YarnGeneration generation) {
  auto loaded = ConfigurationLoader(properties, dimensions, generation).load();
  if (!loaded) return loaded;
  const Status templates =
      review_templates({properties, dimensions, generation}, loaded->configuration, loaded->review);
  if (!templates) return templates.error();
  return loaded;
}

Result<LoadedQueue> read_created_queue(const HadoopProperties& properties,
                                       const ResourceDimensions& dimensions,
                                       YarnGeneration generation, const CapacityQueue& parent,
                                       const QueueToRead& wanted) {
  return ConfigurationLoader(properties, dimensions, generation).load_created(parent, wanted);
}

}  // namespace tracebed
