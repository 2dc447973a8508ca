// The queues of Hadoop 1's Capacity Scheduler: the contents of its capacity-scheduler.xml
// (mapred.CapacitySchedulerConf of releases 0.20.0, 0.20.2 and 1.2.1), checked.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/result.h"
#include "core/time.h"
#include "core/xml_element.h"
#include "schedulers/hadoop1/slots.h"

namespace tracebed {

enum class SlotCapacityGeneration : std::uint8_t {
  reclaims,       // 0.20.0: capacity is reclaimed by a deadline
  shares_memory,  // 0.20.2: jobs with large tasks take several slots
  has_maxima,     // 1.x: maxima of queues and users
};

struct SlotQueueRules {
  std::string name;
  float capacity = 0;  // percent of the slots of each kind
  bool supports_priority = false;
  std::int64_t user_limit = 100;  // minimum-user-limit-percent
  // 0.20.0
  Duration reclaim_limit = seconds(300);
  // 1.x
  std::optional<float> maximum_capacity;  // percent
  float user_limit_factor = 1;
  std::int64_t running_max = 0;  // jobs that run at a time, in all and of each user
  std::int64_t running_of_user_max = 0;
  std::int64_t accepted_max = 0;  // jobs that run or wait, likewise
  std::int64_t accepted_of_user_max = 0;
};

struct SlotQueueRulesFile {
  std::vector<SlotQueueRules> queues;      // in the order of the names
  Duration reclaim_interval = seconds(5);  // 0.20.0: reclaimCapacity.interval
  // 1.x
  std::int64_t tasks_per_heartbeat_max = 32767;
  std::int64_t tasks_after_off_switch = 0;
  // The scheduler's properties that this generation ignores: "FILE:LINE: NAME".
  std::vector<std::string> unread;
};

// `names` are the queues (mapred.queue.names); empty: those that have a property in the file, in
// alphabetical order. The error is a sentence that names file, line, property, what was expected
// and what was found.
Result<SlotQueueRulesFile> read_slot_queues(const XmlElement& root,
                                            const std::vector<std::string>& names,
                                            SlotCapacityGeneration generation);

// int(percent × slots / 100), in 32-bit floats.
std::int64_t slots_of_percent(float percent, std::int64_t slots);

}  // namespace tracebed
