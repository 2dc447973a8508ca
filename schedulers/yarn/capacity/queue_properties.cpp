#include "schedulers/yarn/capacity/queue_properties.h"

#include "schedulers/parts/java_int.h"
#include "schedulers/yarn/capacity/capacity_prefix.h"
#include "schedulers/yarn/capacity/system_properties.h"
#include "schedulers/yarn/configuration/configuration_bounds.h"

namespace tracebed {
namespace {

// auto-create-child-queue
void read_management(PropertyReader& reader, CapacityQueue& queue) {
  const auto name = [&](std::string_view key) {
    return capacity_property(queue.path, "auto-create-child-queue." + std::string(key));
  };
  queue.manages_queues = reader.flag(name("enabled"), false);
  const std::int64_t most = reader.integer(name("max-queues"), 1'000, 0, java_int_max);
  queue.fails_above_capacity = reader.flag(name("fail-on-exceeding-parent-capacity"), false);
  (void)reader.choice(name("management-policy"), 0,
                      {"org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity."
                       "queuemanagement.GuaranteedOrZeroCapacityOverTimePolicy"});
  if (!queue.manages_queues) return;
  queue.child_queues_max = most;
  if (queue.path == "root") reader.fail(name("enabled"), "false for the root");
  if (queue.creates_queues) {
    reader.fail(name("enabled"), "false beside auto-queue-creation-v2.enabled");
  }
}

}  // namespace

CapacityQueueState read_state(PropertyReader& reader, const std::string& path,
                              CapacityQueueState of_parent) {
  const std::string name = capacity_property(path, "state");
  const std::string state = reader.word(name, "running");
  if (state != "running" && state != "stopped" && state != "draining") {
    reader.fail(name, "RUNNING, STOPPED or DRAINING");
  }
  if (of_parent != CapacityQueueState::running) return of_parent;
  if (state == "stopped") return CapacityQueueState::stopped;
  return state == "draining" ? CapacityQueueState::draining : CapacityQueueState::running;
}

void read_creation(PropertyReader& reader, CapacityQueue& queue) {
  const auto name = [&](std::string_view key) {
    return capacity_property(queue.path, "auto-queue-creation-v2." + std::string(key));
  };
  if (!queue.is_created) {
    queue.creates_queues = reader.flag(name("enabled"), false);
    read_management(reader, queue);
  }
  const std::int64_t most = reader.integer(name("max-queues"), 1'000, 0, java_int_max);
  if (!queue.manages_queues) queue.child_queues_max = most;
  constexpr auto levels_max = static_cast<std::int64_t>(queue_levels_max);
  const std::int64_t of_all = reader.integer(
      capacity_property("auto-queue-creation-v2.maximum-queue-depth"), 2, 1, levels_max);
  queue.created_levels_max = reader.integer(name("maximum-queue-depth"), of_all, 1, levels_max);
  queue.is_removed_when_unused = reader.flag(name("queue-auto-removal.enable"), true);
}

void read_user_weights(PropertyReader& reader, const HadoopProperties& properties,
                       CapacityQueue& queue) {
  const std::string begin = capacity_property(queue.path, "user-settings.");
  constexpr std::string_view end = ".weight";
  for (const auto& [name, property] : properties.beginning_with(begin)) {
    if (!name.ends_with(end)) continue;
    if (name.size() <= begin.size() + end.size()) continue;
    const std::string user = name.substr(begin.size(), name.size() - begin.size() - end.size());
    queue.user_weights[user] = reader.fraction(name, 1, 0, 1e9F);
  }
}

void read_leaf_limits(PropertyReader& reader, CapacityQueue& queue) {
  const auto name = [&](std::string_view key) { return capacity_property(queue.path, key); };
  const auto limit = [&](std::string_view key, float otherwise, float low, float high) {
    const float of_all = reader.fraction(capacity_property(key), otherwise, low, high);
    return reader.fraction(name(key), of_all, low, high);
  };
  // Above 100 is read as it is, as in the original: a user's limit is then above the queue's use.
  constexpr float percent_max = 1e6F;
  queue.user_limit_percent = limit("minimum-user-limit-percent", 100, 0, percent_max);
  queue.user_limit_factor = limit("user-limit-factor", 1, -1, 1e9F);
  if (queue.user_limit_factor < 0 && queue.user_limit_factor != -1) {
    reader.fail(name("user-limit-factor"), "-1 or a factor of 0 or more");
  }
  queue.maximum_applications = count_property(reader, name("maximum-applications"));
  queue.maximum_parallel_applications = count_property(reader, name("max-parallel-apps"));
  if (!queue.maximum_parallel_applications) {
    queue.maximum_parallel_applications =
        count_property(reader, capacity_property("max-parallel-apps"));
  }
  queue.default_application_priority = static_cast<std::int32_t>(
      reader.integer(name("default-application-priority"), 0, 0, java_int_max));
}

NamedQueues names_of(const CapacityConfiguration& configuration) {
  NamedQueues names;
  for (std::size_t i = 0; i < configuration.queues.size(); ++i) {
    const CapacityQueue& queue = configuration.queues[i];
    names.add({queue.path, queue.is_leaf(), queue.creates_queues, queue.manages_queues, i});
  }
  return names;
}

}  // namespace tracebed
