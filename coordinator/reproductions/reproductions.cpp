#include "coordinator/reproductions/reproductions.h"

#include <algorithm>
#include <fmt/format.h>

#include "coordinator/reproductions/papers.h"
#include "core/input_error.h"
#include "system/near_match.h"

namespace tracebed {

std::vector<Reproduction> builtin_reproductions() {
  return {dbd_reproduction(), lian_reproduction(), mfs_reproduction()};
}

const Reproduction& find_reproduction(const std::vector<Reproduction>& reproductions,
                                      std::string_view name) {
  const auto found = std::find_if(reproductions.begin(), reproductions.end(),
                                  [&](const Reproduction& one) { return one.name == name; });
  if (found != reproductions.end()) return *found;
  std::vector<std::string_view> names;
  for (const Reproduction& one : reproductions) names.push_back(one.name);
  throw InputError(fmt::format("there is no reproduction {}{}", name, name_hint(name, names)));
}

}  // namespace tracebed
