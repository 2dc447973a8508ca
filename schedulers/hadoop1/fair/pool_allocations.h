// The pools file of Hadoop 1's Fair Scheduler (mapred.PoolManager; fair-scheduler.xml):
// <allocations> with <pool name="…"> and <user name="…"> elements and defaults, checked.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/result.h"
#include "core/time.h"
#include "core/xml_element.h"
#include "schedulers/hadoop1/slots.h"

namespace tracebed {

enum class SlotFairGeneration : std::uint8_t {
  deficits,  // 0.20
  ratios,    // 1.x
};

struct PoolRules {
  PerKind<std::int64_t> minimum;  // minMaps, minReduces
  // maxMaps, maxReduces; none: without limit. (1.x)
  PerKind<std::optional<std::int64_t>> maximum;
  double weight = 1;
  std::optional<std::int64_t> maximum_running;  // maxRunningJobs; else poolMaxJobsDefault
  std::optional<Duration> minimum_timeout;      // minSharePreemptionTimeout (1.x)
  std::optional<bool> is_fifo;                  // schedulingMode (1.x)
};

struct PoolAllocations {
  std::map<std::string, PoolRules, std::less<>> pools;
  std::map<std::string, std::int64_t, std::less<>> maximum_running_of_users;
  std::optional<std::int64_t> maximum_running_of_user;  // userMaxJobsDefault
  std::optional<std::int64_t> maximum_running_of_pool;  // poolMaxJobsDefault (1.x)
  std::optional<Duration> minimum_timeout;              // defaultMinSharePreemptionTimeout (1.x)
  std::optional<Duration> fair_share_timeout;           // fairSharePreemptionTimeout (1.x)
  bool is_fifo = false;                                 // defaultPoolSchedulingMode (1.x)
  // Elements that this generation ignores: "FILE:LINE: <NAME>".
  std::vector<std::string> unread;

  // The defaults for a pool that the file does not name.
  const PoolRules& of(const std::string& pool) const;
};

// The error is a sentence that names file and line, element, what was expected and what was found.
Result<PoolAllocations> read_pool_allocations(const XmlElement& root,
                                              SlotFairGeneration generation);

}  // namespace tracebed
