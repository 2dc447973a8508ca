#include "schedulers/yarn/fair/fair_allocations.h"

#include <algorithm>
#include <charconv>

#include "core/text.h"
#include "schedulers/parts/java_int.h"
#include "schedulers/parts/quoted_value.h"
#include "schedulers/yarn/configuration/configuration_bounds.h"
#include "schedulers/yarn/configuration/letter_case.h"
#include "schedulers/yarn/configuration/property_tables.h"

namespace tracebed {
namespace {

template <class Number>
std::optional<Number> parse_number(std::string_view text, Number low, Number high) {
  Number number{};
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_number = failure == std::errc() && end == text.data() + text.size();
  return is_number && number >= low && number <= high ? std::optional(number) : std::nullopt;
}

class AllocationsLoader {
 public:
  AllocationsLoader(const ResourceDimensions& dimensions, AllocationFileForm form)
      : dimensions_(dimensions), form_(form) {
    allocations_.inherits = form.inherits;
    allocations_.policy_rule = form.policy_rule;
  }

  Result<FairAllocations> load(const XmlElement& root);

 private:
  using Queues = std::vector<const XmlElement*>;

  // Reading values: a wrong one is kept as the error, and `otherwise` returned.
  std::int64_t integer(const XmlElement& element, std::int64_t low);
  float fraction(const XmlElement& element, float low, float high);
  SharePolicy policy(const XmlElement& element);
  AllocationAmount amount(const XmlElement& element, AllocationAmount::Missing missing);
  void fail(const XmlElement& element, const std::string& expected);
  // An element that is not read, below one of the table's `parent`.
  void leave(const std::string& parent, const XmlElement& element);

  void read_top_level(const XmlElement& root);
  void read_user(const XmlElement& user);
  void read_queue(const XmlElement* element, const std::string& path, std::size_t parent);
  void read_children(const Queues& children, std::size_t index);
  void inherit(FairQueue& queue, const FairQueue* parent) const;
  void read_field(const XmlElement& field, FairQueue& queue, Queues& children);
  void check_policy(FairQueue& queue, const XmlElement& element);

  const ResourceDimensions& dimensions_;
  const AllocationFileForm form_;
  FairAllocations allocations_;
  Queues top_queues_;
  std::string error_;  // empty: none so far
};

void AllocationsLoader::fail(const XmlElement& element, const std::string& expected) {
  if (!error_.empty()) return;
  error_ =
      place_of(element) + ": expected " + expected + ", got " + quoted_value(trimmed(element.text));
}

void AllocationsLoader::leave(const std::string& parent, const XmlElement& element) {
  const std::string name = parent + "/" + element.name;
  // An element asks for something by being there.
  const std::string value = trimmed(element.text).empty() ? "<" + element.name + ">" : element.text;
  allocations_.review.add(known_property(known_fair_properties(), name),
                          {name, place_of(element), value});
}

std::int64_t AllocationsLoader::integer(const XmlElement& element, std::int64_t low) {
  const auto number = parse_number<std::int64_t>(trimmed(element.text), low, java_int_max);
  if (!number) fail(element, "a whole number of at least " + std::to_string(low));
  return number.value_or(low);
}

float AllocationsLoader::fraction(const XmlElement& element, float low, float high) {
  const auto number = parse_number<float>(trimmed(element.text), low, high);
  if (!number) fail(element, low < 0 ? "a number, or -1" : "a number that is not negative");
  return number.value_or(0);
}

SharePolicy AllocationsLoader::policy(const XmlElement& element) {
  const std::string_view name = trimmed(element.text);
  if (equal_but_for_case(name, "fair")) return SharePolicy::fair;
  if (equal_but_for_case(name, "drf")) return SharePolicy::drf;
  if (equal_but_for_case(name, "fifo")) return SharePolicy::fifo;
  fail(element, "fair, fifo or drf");
  return SharePolicy::fair;
}

AllocationAmount AllocationsLoader::amount(const XmlElement& element,
                                           AllocationAmount::Missing missing) {
  const auto parsed = AllocationAmount::parse(element.text, missing, dimensions_);
  if (parsed && AllocationAmount::names_one_of_all(element.text)) {
    allocations_.review.remarks.push_back(place_of(element) + ": " +
                                          std::string(trimmed(element.text)) +
                                          " without a comma holds for all resources, as in Hadoop");
  }
  if (parsed) return *parsed;
  fail(element, parsed.error().message);
  return AllocationAmount(missing);
}

Result<FairAllocations> AllocationsLoader::load(const XmlElement& root) {
  if (root.name != "allocations") {
    return Error{root.where + ": expected <allocations>, got <" + root.name + ">"};
  }
  read_top_level(root);
  const bool has_root =
      std::any_of(top_queues_.begin(), top_queues_.end(), [](const XmlElement* queue) {
        const std::string* name = queue->attribute("name");
        return name != nullptr && equal_but_for_case(trimmed(*name), "root");
      });
  if (has_root && top_queues_.size() > 1) {
    fail(*top_queues_.back(), "no other queues beside root");
  } else if (has_root) {
    read_queue(top_queues_.front(), "root", 0);
  } else {
    read_queue(nullptr, "root", 0);
    read_children(top_queues_, 0);
  }
  if (!error_.empty()) return Error{error_};
  return std::move(allocations_);
}

void AllocationsLoader::read_top_level(const XmlElement& root) {
  bool has_default_timeout = false;
  for (const XmlElement& element : root.children) {
    const std::string& name = element.name;
    if (name == "queue" || name == "pool") {
      top_queues_.push_back(&element);
    } else if (name == "user") {
      read_user(element);
    } else if (name == "userMaxAppsDefault") {
      allocations_.maximum_running_of_user = integer(element, 0);
    } else if (name == "queueMaxAppsDefault") {
      allocations_.maximum_running_of_queue = integer(element, 0);
    } else if (name == "queueMaxResourcesDefault") {
      allocations_.maximum_of_queue = amount(element, AllocationAmount::Missing::unlimited);
    } else if (name == "queueMaxAMShareDefault") {
      allocations_.application_master_share = std::min(fraction(element, -1, 1e9F), 1.0F);
    } else if (name == "defaultMinSharePreemptionTimeout") {
      allocations_.minimum_share_timeout_s = integer(element, 0);
    } else if (name == "defaultFairSharePreemptionTimeout") {
      allocations_.fair_share_timeout_s = integer(element, 0);
      has_default_timeout = true;
    } else if (name == "fairSharePreemptionTimeout") {
      // The older name, which gives way to the other.
      if (!has_default_timeout) allocations_.fair_share_timeout_s = integer(element, 0);
    } else if (name == "defaultFairSharePreemptionThreshold") {
      allocations_.fair_share_threshold = std::min(fraction(element, 0, 1e9F), 1.0F);
    } else if (name == "defaultQueueSchedulingPolicy" || name == "defaultQueueSchedulingMode") {
      allocations_.policy = policy(element);
      if (allocations_.policy == SharePolicy::fifo) fail(element, "fair or drf for all queues");
    } else if (name == "queuePlacementPolicy") {
      auto rules = read_placement_rules(element, form_.nested_rules);
      if (!rules && error_.empty()) error_ = rules.error().message;
      if (rules) allocations_.placement = std::move(*rules);
    } else {
      leave("allocations", element);
    }
  }
}

void AllocationsLoader::read_user(const XmlElement& user) {
  const std::string* name = user.attribute("name");
  if (name == nullptr || name->empty()) return fail(user, "a name");
  for (const XmlElement& field : user.children) {
    if (field.name == "maxRunningApps") {
      allocations_.maximum_running_of_users[*name] = integer(field, 0);
    } else {
      leave("user", field);
    }
  }
}

// ---- queues ----

void AllocationsLoader::inherit(FairQueue& queue, const FairQueue* parent) const {
  queue.maximum_running = allocations_.maximum_running_of_queue;
  queue.application_master_share = allocations_.application_master_share;
  queue.policy = allocations_.policy;
  queue.maximum = allocations_.maximum_of_queue;
  queue.minimum_share_timeout_s = allocations_.minimum_share_timeout_s;
  queue.fair_share_timeout_s = allocations_.fair_share_timeout_s;
  queue.fair_share_threshold = allocations_.fair_share_threshold;
  if (parent == nullptr) {
    queue.submitters = queue.administrators = QueueAcl("*");
    // A limit for every queue is none for all of them together.
    queue.maximum_running.reset();
    queue.maximum = AllocationAmount(AllocationAmount::Missing::unlimited);
    return;
  }
  if (parent->maximum_of_children) queue.maximum = *parent->maximum_of_children;
  if (allocations_.inherits) inherit_from(*parent, queue);
}

void AllocationsLoader::read_queue(const XmlElement* element, const std::string& path,
                                   std::size_t parent) {
  const std::size_t index = allocations_.queues.size();
  FairQueue queue;
  queue.path = path;
  queue.parent = parent;
  inherit(queue, index == 0 ? nullptr : &allocations_.queues[parent]);
  Queues children;
  if (element != nullptr) {
    for (const XmlElement& field : element->children) read_field(field, queue, children);
    // Hadoop logs it and raises the maximum (AllocationConfiguration, FSQueue.getMaxShare).
    if (queue.minimum.exceeds(queue.maximum)) {
      const XmlElement* own = element->child("maxResources");
      allocations_.review.remarks.push_back(place_of(own == nullptr ? *element : *own) +
                                            ": the maximum of " + path +
                                            " is below its minResources, which count instead");
    }
    const std::string* type = element->attribute("type");
    queue.is_parent = type != nullptr && *type == "parent";
  }
  queue.is_parent |= index == 0 || !children.empty();
  allocations_.queue_of_path.emplace(queue.path, index);
  allocations_.queues.push_back(std::move(queue));
  if (element != nullptr) check_policy(allocations_.queues[index], *element);
  read_children(children, index);
}

void AllocationsLoader::read_children(const Queues& children, std::size_t index) {
  const std::string below = allocations_.queues[index].path + ".";
  for (const XmlElement* child : children) {
    const std::string* attribute = child->attribute("name");
    const std::string name(attribute == nullptr ? "" : trimmed(*attribute));
    if (name.empty() || name.find('.') != std::string::npos) {
      return fail(*child, "a name without dots, not \"" + name + "\"");
    }
    const std::string child_path = below + name;
    if (allocations_.find(child_path) != nullptr) {
      return fail(*child, "each queue once, not \"" + name + "\" again");
    }
    if (allocations_.queues.size() == queues_max) {
      return fail(*child, "at most " + std::to_string(queues_max) + " queues in all");
    }
    allocations_.queues[index].children.push_back(allocations_.queues.size());
    read_queue(child, child_path, index);
  }
}

void AllocationsLoader::read_field(const XmlElement& field, FairQueue& queue, Queues& children) {
  using Missing = AllocationAmount::Missing;
  const std::string& name = field.name;
  if (name == "queue" || name == "pool") {
    children.push_back(&field);
  } else if (name == "weight") {
    queue.weight = fraction(field, 0, 1e9F);
  } else if (name == "minResources") {
    queue.minimum = amount(field, Missing::nothing);
  } else if (name == "maxResources") {
    queue.maximum = amount(field, Missing::unlimited);
  } else if (name == "maxChildResources") {
    queue.maximum_of_children = amount(field, Missing::unlimited);
  } else if (name == "maxContainerAllocation") {
    queue.maximum_container = amount(field, Missing::unlimited);
  } else if (name == "maxRunningApps") {
    queue.maximum_running = integer(field, 0);
  } else if (name == "maxAMShare") {
    queue.application_master_share = std::min(fraction(field, -1, 1e9F), 1.0F);
  } else if (name == "schedulingPolicy" || name == "schedulingMode") {
    queue.policy = policy(field);
  } else if (name == "minSharePreemptionTimeout") {
    queue.minimum_share_timeout_s = integer(field, 0);
    queue.stated.minimum_share_timeout = true;
  } else if (name == "fairSharePreemptionTimeout") {
    queue.fair_share_timeout_s = integer(field, 0);
    queue.stated.fair_share_timeout = true;
  } else if (name == "fairSharePreemptionThreshold") {
    queue.fair_share_threshold = std::min(fraction(field, 0, 1e9F), 1.0F);
    queue.stated.fair_share_threshold = true;
  } else if (name == "allowPreemptionFrom") {
    const std::string text = lower_case(trimmed(field.text));
    if (text != "true" && text != "false") fail(field, "true or false");
    queue.allows_preemption_from = text == "true";
    queue.stated.allows_preemption_from = true;
  } else if (name == "aclSubmitApps") {
    queue.submitters = QueueAcl(field.text);
  } else if (name == "aclAdministerApps") {
    queue.administrators = QueueAcl(field.text);
  } else {
    leave("queue", field);
  }
}

void AllocationsLoader::check_policy(FairQueue& queue, const XmlElement& element) {
  const FairQueue& parent = allocations_.queues[queue.parent];
  const bool is_wrong_parent = queue.is_parent && queue.policy == SharePolicy::fifo;
  switch (form_.policy_rule) {
    case PolicyRule::by_parent:
      if (is_wrong_parent) fail(element, "fifo on leaves only, not on " + queue.path);
      break;
    case PolicyRule::by_depth:
      if (!is_wrong_parent) break;
      // QueueManager.updateAllocationConfiguration logs it, and the queue keeps its first policy.
      allocations_.review.remarks.push_back(place_of(element) + ": the policy fifo of " +
                                            queue.path +
                                            " is ignored: it is for leaves, and a parent has fair");
      queue.policy = SharePolicy::fair;
  }
  if (&parent == &queue || may_stand_below(queue.policy, parent.policy, form_.policy_rule)) return;
  fail(element, "no drf below a queue with fair, but " + queue.path +
                    " is (semantics = \"hadoop-2.0\" takes it)");
}

}  // namespace

const FairQueue* FairAllocations::find(std::string_view path) const {
  const auto found = queue_of_path.find(path);
  return found == queue_of_path.end() ? nullptr : &queues[found->second];
}

void inherit_from(const FairQueue& parent, FairQueue& queue) {
  queue.minimum_share_timeout_s = parent.minimum_share_timeout_s;
  queue.fair_share_timeout_s = parent.fair_share_timeout_s;
  queue.fair_share_threshold = parent.fair_share_threshold;
  queue.allows_preemption_from = parent.allows_preemption_from;
  queue.maximum_of_children = parent.maximum_of_children;
  queue.maximum_container = parent.maximum_container;
}

Result<FairAllocations> read_fair_allocations(const XmlElement& root,
                                              const ResourceDimensions& dimensions,
                                              AllocationFileForm form) {
  return AllocationsLoader(dimensions, form).load(root);
}

}  // namespace tracebed
