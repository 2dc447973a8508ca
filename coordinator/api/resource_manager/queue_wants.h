// What the applications of queues want, added up for the pages of YARN's schedulers.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "coordinator/monitoring/run_snapshot.h"

namespace tracebed {

// Of a queue and of those below it: what is asked for, and what is reserved.
struct QueueWants {
  Resources pending;
  std::uint64_t containers_pending = 0;
  std::uint64_t containers_reserved = 0;
  std::vector<const ApplicationSnapshot*> applications;  // of a leaf, by id
};

// By path; of queues without applications there is none. Looks into `run`.
using WantsByPath = std::map<std::string, QueueWants, std::less<>>;
WantsByPath wants_of(const RunSnapshot& run);

// UsersInfo of a leaf.
nlohmann::ordered_json users_info(const QueueView& leaf, const QueueWants& wants);

}  // namespace tracebed
