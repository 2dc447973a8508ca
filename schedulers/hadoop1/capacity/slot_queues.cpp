#include "schedulers/hadoop1/capacity/slot_queues.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "schedulers/parts/java_int.h"
#include "schedulers/yarn/configuration/property_reader.h"

namespace tracebed {
namespace {

constexpr std::string_view slot_prefix = "mapred.capacity-scheduler.";
constexpr std::string_view queue_prefix = "mapred.capacity-scheduler.queue.";
// So many times as many jobs may be there as may run.
constexpr std::int64_t accept_factor = 10;

class QueuesLoader {
 public:
  QueuesLoader(const HadoopProperties& properties, SlotCapacityGeneration generation,
               const std::string& where)
      : properties_(properties), reader_(properties), generation_(generation), where_(where) {}

  Result<SlotQueueRulesFile> load(std::vector<std::string> names) {
    if (names.empty()) names = names_in_file();
    if (names.empty()) return Error{where_ + ": expected at least one queue, got none"};
    read_defaults();
    for (const std::string& name : names) read_queue(name);
    if (const Status status = reader_.status(); !status) return status.error();
    if (const Status status = check_capacities(); !status) return status.error();
    if (is(SlotCapacityGeneration::has_maxima)) count_jobs();
    for (const std::string& name : reader_.unread()) {
      if (name.starts_with(slot_prefix)) file_.unread.push_back(properties_.place(name));
    }
    return std::move(file_);
  }

 private:
  bool is(SlotCapacityGeneration generation) const { return generation_ == generation; }
  static std::string own(std::string_view key) {
    return std::string(slot_prefix) + std::string(key);
  }
  static std::string of(const std::string& queue, std::string_view key) {
    return std::string(queue_prefix) + queue + "." + std::string(key);
  }
  std::string capacity_key(const std::string& queue) const {
    return of(queue, is(SlotCapacityGeneration::reclaims) ? "guaranteed-capacity" : "capacity");
  }

  std::vector<std::string> names_in_file() const {
    std::set<std::string> names;
    for (const auto& [name, property] : properties_.all()) {
      const std::size_t end = name.rfind('.');
      if (name.starts_with(queue_prefix) && end > queue_prefix.size()) {
        names.insert(name.substr(queue_prefix.size(), end - queue_prefix.size()));
      }
    }
    return {names.begin(), names.end()};
  }

  void read_defaults() {
    defaults_.user_limit =
        reader_.integer(own("default-minimum-user-limit-percent"), defaults_.user_limit, 1, 100);
    defaults_.supports_priority = reader_.flag(own("default-supports-priority"), false);
    if (is(SlotCapacityGeneration::reclaims)) {
      defaults_.reclaim_limit =
          seconds(reader_.integer(own("default-reclaim-time-limit"), 300, 1, java_int_max));
      file_.reclaim_interval =
          seconds(reader_.integer(own("reclaimCapacity.interval"), 5, 1, java_int_max));
    }
    if (!is(SlotCapacityGeneration::has_maxima)) return;
    constexpr float factor_max = 1e6F;
    defaults_.user_limit_factor =
        reader_.fraction(own("default-user-limit-factor"), 1, 0, factor_max);
    default_accept_factor_ =
        reader_.integer(own("default-init-accept-jobs-factor"), accept_factor, 1, java_int_max);
    system_jobs_ = reader_.integer(own("maximum-system-jobs"), 5000, 1, java_int_max);
    file_.tasks_per_heartbeat_max =
        reader_.integer(own("maximum-tasks-per-heartbeat"), 32767, 1, java_int_max);
    file_.tasks_after_off_switch =
        reader_.integer(own("maximum-tasks-after-offswitch"), 0, 0, java_int_max);
  }

  void read_queue(const std::string& name) {
    SlotQueueRules queue = defaults_;
    queue.name = name;
    const std::string key = capacity_key(name);
    has_capacity_.push_back(reader_.has(key));
    queue.capacity = reader_.fraction(key, 0, 0, 100);
    queue.user_limit =
        reader_.integer(of(name, "minimum-user-limit-percent"), defaults_.user_limit, 1, 100);
    queue.supports_priority =
        reader_.flag(of(name, "supports-priority"), defaults_.supports_priority);
    if (is(SlotCapacityGeneration::reclaims)) {
      const std::int64_t otherwise =
          std::chrono::duration_cast<std::chrono::seconds>(defaults_.reclaim_limit).count();
      queue.reclaim_limit =
          seconds(reader_.integer(of(name, "reclaim-time-limit"), otherwise, 1, java_int_max));
    }
    accept_factors_.push_back(default_accept_factor_);
    if (is(SlotCapacityGeneration::has_maxima)) read_maxima(queue);
    file_.queues.push_back(std::move(queue));
  }

  void read_maxima(SlotQueueRules& queue) {
    const std::string key = of(queue.name, "maximum-capacity");
    const float maximum = reader_.fraction(key, -1, -1, 100);
    // As in the original, what is not positive is no maximum.
    if (maximum > 0) queue.maximum_capacity = maximum;
    if (maximum > 0 && maximum < queue.capacity) {
      reader_.fail(key, "at least the queue's capacity");
    }
    constexpr float factor_max = 1e6F;
    queue.user_limit_factor = reader_.fraction(of(queue.name, "user-limit-factor"),
                                               defaults_.user_limit_factor, 0, factor_max);
    accept_factors_.back() = reader_.integer(of(queue.name, "init-accept-jobs-factor"),
                                             default_accept_factor_, 1, java_int_max);
  }

  Status check_capacities() {
    float sum = 0;
    std::size_t without = 0;
    for (std::size_t i = 0; i < file_.queues.size(); ++i) {
      sum += file_.queues[i].capacity;
      if (has_capacity_[i]) continue;
      ++without;
      if (is(SlotCapacityGeneration::has_maxima)) {
        return Error{where_ + ": " + capacity_key(file_.queues[i].name) +
                     ": expected a capacity in percent, got none"};
      }
    }
    const bool is_whole = std::floor(sum) == 100;
    if (is(SlotCapacityGeneration::has_maxima) ? !is_whole : sum > 100) {
      return Error{where_ + ": expected capacities of queues that add up to " +
                   (is(SlotCapacityGeneration::has_maxima) ? "" : "at most ") + "100, got " +
                   std::to_string(sum)};
    }
    const bool has_default =
        std::any_of(file_.queues.begin(), file_.queues.end(),
                    [](const SlotQueueRules& queue) { return queue.name == "default"; });
    if (!is(SlotCapacityGeneration::has_maxima) && !has_default) {
      return Error{where_ + ": expected a queue named default, got none"};
    }
    // Queues of no stated capacity share the rest.
    for (std::size_t i = 0; i < file_.queues.size(); ++i) {
      if (!has_capacity_[i]) {
        file_.queues[i].capacity = (100 - sum) / static_cast<float>(without);
      }
    }
    return success();
  }

  // CapacitySchedulerQueue.initializeQueue.
  void count_jobs() {
    for (std::size_t i = 0; i < file_.queues.size(); ++i) {
      SlotQueueRules& queue = file_.queues[i];
      const double jobs =
          static_cast<double>(static_cast<float>(system_jobs_) * queue.capacity) / 100.0;
      queue.running_max = static_cast<std::int64_t>(std::ceil(jobs));
      queue.running_of_user_max = static_cast<std::int64_t>(
          std::ceil(jobs * static_cast<double>(queue.user_limit) / 100.0));
      queue.accepted_max = queue.running_max * accept_factors_[i];
      queue.accepted_of_user_max = queue.running_of_user_max * accept_factors_[i];
    }
  }

  const HadoopProperties& properties_;
  PropertyReader reader_;
  SlotCapacityGeneration generation_;
  std::string where_;
  SlotQueueRules defaults_;
  std::int64_t default_accept_factor_ = accept_factor;
  std::int64_t system_jobs_ = 0;
  std::vector<bool> has_capacity_;  // by queue
  std::vector<std::int64_t> accept_factors_;
  SlotQueueRulesFile file_;
};

}  // namespace

Result<SlotQueueRulesFile> read_slot_queues(const XmlElement& root,
                                            const std::vector<std::string>& names,
                                            SlotCapacityGeneration generation) {
  HadoopProperties properties;
  if (const Status status = properties.add(root); !status) return status.error();
  return QueuesLoader(properties, generation, root.where).load(names);
}

std::int64_t slots_of_percent(float percent, std::int64_t slots) {
  return static_cast<std::int64_t>(percent * static_cast<float>(slots) / 100);
}

}  // namespace tracebed
