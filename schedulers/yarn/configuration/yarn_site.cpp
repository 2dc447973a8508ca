#include "schedulers/yarn/configuration/yarn_site.h"

#include <algorithm>
#include <array>
#include <limits>

#include "schedulers/yarn/configuration/hadoop_properties.h"
#include "schedulers/yarn/configuration/preemption_properties.h"
#include "schedulers/yarn/configuration/property_reader.h"

namespace tracebed {
namespace {

enum class ValueForm : std::uint8_t { whole, thousands, fraction, boolean };

struct Followed {
  std::string_view property;
  std::string_view setting;
  ValueForm form = ValueForm::whole;
};

// `thousands` are whole in YARN and thousandths here.
constexpr std::array followed{
    Followed{"yarn.scheduler.minimum-allocation-mb", "minimum_allocation_mib"},
    Followed{"yarn.scheduler.minimum-allocation-vcores", "minimum_allocation_milli_vcores",
             ValueForm::thousands},
    Followed{"yarn.scheduler.maximum-allocation-mb", "maximum_allocation_mib"},
    Followed{"yarn.scheduler.maximum-allocation-vcores", "maximum_allocation_milli_vcores",
             ValueForm::thousands},
    Followed{"yarn.resource-types.memory-mb.increment-allocation", "increment_allocation_mib"},
    Followed{"yarn.resource-types.vcores.increment-allocation", "increment_allocation_milli_vcores",
             ValueForm::thousands},
    Followed{"yarn.scheduler.increment-allocation-mb", "increment_allocation_mib"},
    Followed{"yarn.scheduler.increment-allocation-vcores", "increment_allocation_milli_vcores",
             ValueForm::thousands},
    Followed{"yarn.scheduler.fair.user-as-default-queue", "user_as_default_queue",
             ValueForm::boolean},
    Followed{"yarn.scheduler.fair.allow-undeclared-pools", "allow_undeclared_pools",
             ValueForm::boolean},
    Followed{"yarn.scheduler.fair.sizebasedweight", "size_based_weight", ValueForm::boolean},
    Followed{"yarn.scheduler.fair.assignmultiple", "assign_multiple", ValueForm::boolean},
    Followed{"yarn.scheduler.fair.dynamic.max.assign", "dynamic_max_assign", ValueForm::boolean},
    Followed{"yarn.scheduler.fair.max.assign", "max_assign"},
    Followed{"yarn.scheduler.fair.locality.threshold.node", "locality_threshold_node",
             ValueForm::fraction},
    Followed{"yarn.scheduler.fair.locality.threshold.rack", "locality_threshold_rack",
             ValueForm::fraction},
    Followed{"yarn.scheduler.fair.locality-delay-node-ms", "locality_delay_node_ms"},
    Followed{"yarn.scheduler.fair.locality-delay-rack-ms", "locality_delay_rack_ms"},
    Followed{"yarn.scheduler.fair.continuous-scheduling-enabled", "continuous_scheduling",
             ValueForm::boolean},
    Followed{"yarn.scheduler.fair.continuous-scheduling-sleep-ms",
             "continuous_scheduling_sleep_ms"},
    Followed{"yarn.scheduler.fair.update-interval-ms", "update_interval_ms"},
    Followed{"yarn.scheduler.fair.reservable-nodes", "reservable_nodes", ValueForm::fraction},
    Followed{"yarn.scheduler.reservation-threshold.increment-multiple", "reservation_increments",
             ValueForm::fraction},
    Followed{"yarn.scheduler.fair.preemption", "preemption.enabled", ValueForm::boolean},
    Followed{"yarn.scheduler.fair.preemption.cluster-utilization-threshold",
             "preemption.cluster_utilization_threshold", ValueForm::fraction},
    Followed{"yarn.scheduler.fair.am.preemption", "preemption.masters", ValueForm::boolean},
    Followed{"yarn.scheduler.fair.waitTimeBeforeKill", "preemption.wait_before_kill_ms"},
    Followed{"yarn.scheduler.fair.waitTimeBeforeNextStarvationCheck",
             "preemption.wait_before_next_check_ms"},
    Followed{"yarn.cluster.max-application-priority", "maximum_application_priority"},
    Followed{"yarn.acl.enable", "acls", ValueForm::boolean},
};

struct Ignored {
  std::string_view property;
  std::string_view consequence;
};

constexpr std::array ignored{
    Ignored{"yarn.scheduler.fair.allocation.file",
            "the allocation file is the one that the experiment's setting names"},
    Ignored{"yarn.resourcemanager.scheduler.monitor.policies",
            "the one policy is ProportionalCapacityPreemptionPolicy"},
    Ignored{"yarn.resourcemanager.scheduler.client.thread-count",
            "job masters are answered by one thread"},
    Ignored{"yarn.resourcemanager.nodemanagers.heartbeat-interval-ms",
            "machines speak as often as cluster.heartbeat says"},
    Ignored{"yarn.nodemanager.resource.memory-mb", "machines have what [cluster] says"},
    Ignored{"yarn.nodemanager.resource.cpu-vcores", "machines have what [cluster] says"},
    Ignored{"yarn.nodemanager.vmem-pmem-ratio",
            "virtual memory is limited by what [node_manager] says, which takes this file, too"},
};

// Properties that begin so are the scheduler's, known or not.
constexpr std::array<std::string_view, 3> prefixes{
    "yarn.scheduler.", "yarn.resourcemanager.scheduler.", preemption_prefix};
// A switch for each leaf: its path follows.
constexpr std::string_view masters_of_queue = "yarn.scheduler.fair.am.preemption.";
constexpr std::string_view masters_of_queues = "preemption.masters_of_queues";
constexpr std::string_view scheduler_class = "yarn.resourcemanager.scheduler.class";

bool has(std::span<const SettingDescription> settings, std::string_view name) {
  return std::any_of(settings.begin(), settings.end(),
                     [&](const SettingDescription& setting) { return setting.name == name; });
}

// The value as settings are written.
std::string converted(PropertyReader& reader, std::string_view name, ValueForm form) {
  constexpr std::int64_t amount_max = std::int64_t{1} << 40;
  switch (form) {
    case ValueForm::whole:
      return std::to_string(reader.integer(name, 0));
    case ValueForm::thousands:
      return std::to_string(reader.integer(name, 0, 0, amount_max) * 1000);
    case ValueForm::fraction: {
      constexpr float highest = std::numeric_limits<float>::max();
      reader.fraction(name, 0, -highest, highest);
      return reader.text(name, "0");
    }
    case ValueForm::boolean:
      break;
  }
  return reader.flag(name, false) ? "true" : "false";
}

// "…scheduler.capacity.CapacityScheduler" → "capacity"; empty for a class that is none of YARN's.
std::string_view scheduler_of_class(std::string_view name) {
  const std::string_view last = name.substr(name.rfind('.') + 1);
  if (last == "CapacityScheduler") return "capacity";
  if (last == "FairScheduler") return "fair";
  if (last == "FifoScheduler") return "fifo";
  return {};
}

class SiteReader {
 public:
  SiteReader(const HadoopProperties& properties, std::string_view scheduler,
             std::span<const SettingDescription> settings)
      : properties_(properties), reader_(properties), scheduler_(scheduler), settings_(settings) {}

  Result<YarnSite> read() {
    site_.remarks = properties_.remarks();
    for (const auto& [name, property] : properties_.all()) {
      if (reader_.has(name)) take(name);
    }
    if (const Status status = reader_.status(); !status) return status.error();
    return std::move(site_);
  }

 private:
  void take(const std::string& name) {
    const auto rule = std::find_if(followed.begin(), followed.end(),
                                   [&](const Followed& entry) { return entry.property == name; });
    if (rule != followed.end()) return follow(*rule, name);
    if (name == scheduler_class) return remark_on_class(name);
    if (name == preemption_switch) return follow_preemption(name, "enabled");
    if (name.starts_with(preemption_prefix)) {
      return follow_preemption(name, name.substr(preemption_prefix.size()));
    }
    if (name.starts_with(masters_of_queue) && has(settings_, masters_of_queues)) {
      return add_queue_switch(name);
    }
    const auto known = std::find_if(ignored.begin(), ignored.end(),
                                    [&](const Ignored& entry) { return entry.property == name; });
    const bool is_ours = std::any_of(prefixes.begin(), prefixes.end(), [&](std::string_view start) {
      return name.starts_with(start);
    });
    if (known != ignored.end()) {
      remark(name, "is not followed: " + std::string(known->consequence));
    } else if (is_ours) {
      remark(name, "means nothing here and is passed over");
    }
  }

  void follow(const Followed& rule, const std::string& name) {
    // Both schedulers have settings that begin with "preemption.".
    const bool is_fairs =
        rule.property.starts_with("yarn.scheduler.fair.preemption") && scheduler_ != "fair";
    if (has(settings_, rule.setting) && !is_fairs) {
      site_.settings[std::string(rule.setting)] = {converted(reader_, name, rule.form),
                                                   properties_.place(name)};
    } else {
      remark(name,
             "is no matter of the scheduler " + std::string(scheduler_) + " and is passed over");
    }
  }

  // The Capacity scheduler's, all of whose settings for it are named as the properties are.
  void follow_preemption(const std::string& name, const std::string& key) {
    const std::string setting = "preemption." + key;
    const bool is_of_capacity = scheduler_ == "capacity";
    if (!is_of_capacity || !has(settings_, setting)) {
      return remark(name, is_of_capacity ? "means nothing here and is passed over"
                                         : "is no matter of the scheduler " +
                                               std::string(scheduler_) + " and is passed over");
    }
    site_.settings[setting] = {reader_.text(name, ""), properties_.place(name), name};
  }

  void add_queue_switch(const std::string& name) {
    auto& setting = site_.settings[std::string(masters_of_queues)];
    std::string& value = setting.value;
    if (value.empty()) setting.where = properties_.place(name);
    value += (value.empty() ? "" : ",") + name.substr(masters_of_queue.size()) + "=" +
             converted(reader_, name, ValueForm::boolean);
  }

  void remark_on_class(const std::string& name) {
    const std::string value = reader_.text(name, "");
    const std::string_view named = scheduler_of_class(value);
    if (named == scheduler_) return;
    remark(name,
           "is " + value + ", but the experiment chose the scheduler " + std::string(scheduler_));
  }

  void remark(const std::string& name, const std::string& text) {
    site_.remarks.push_back(properties_.place(name) + ": " + text);
  }

  const HadoopProperties& properties_;
  PropertyReader reader_;
  std::string_view scheduler_;
  std::span<const SettingDescription> settings_;
  YarnSite site_;
};

}  // namespace

bool takes_yarn_site(std::span<const SettingDescription> settings) {
  return std::any_of(followed.begin(), followed.end(),
                     [&](const Followed& rule) { return has(settings, rule.setting); });
}

Result<YarnSite> read_yarn_site(const XmlElement& root, std::string_view scheduler,
                                std::span<const SettingDescription> settings) {
  HadoopProperties properties;
  if (const Status status = properties.add(root); !status) return status.error();
  return SiteReader(properties, scheduler, settings).read();
}

}  // namespace tracebed
