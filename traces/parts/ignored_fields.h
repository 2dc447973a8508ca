// Fields of a trace that have values and that no reader asks for: what `trace info` says a replay
// does not do. Counted only where a tally is kept, so that reading for a run costs nothing.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "traces/parts/statistics.h"

namespace tracebed {

class IgnoredFields {
 public:
  // At most this many different names are kept, each up to a length; what comes later is counted
  // as one.
  static constexpr std::size_t names_max = 200;
  static constexpr std::size_t name_bytes_max = 100;

  // `count` rows or objects have a value in it.
  void add(std::string_view name, std::uint64_t count = 1) {
    if (count == 0) return;
    name = name.substr(0, name_bytes_max);
    const auto found = counts_.find(name);
    if (found != counts_.end()) {
      found->second += count;
    } else if (counts_.size() < names_max) {
      counts_.emplace(name, count);
    } else {
      others_ += count;
    }
  }

  // By name, those beyond the bound last.
  std::vector<TraceCount> counts() const {
    std::vector<TraceCount> all;
    for (const auto& [name, count] : counts_) all.push_back({name, count});
    if (others_ > 0) all.push_back({"other fields", others_});
    return all;
  }

 private:
  std::map<std::string, std::uint64_t, std::less<>> counts_;
  std::uint64_t others_ = 0;
};

}  // namespace tracebed
