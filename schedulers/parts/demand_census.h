// Which demands the waiting asks have, and which asks have each. There are far fewer kinds of
// demands than asks, so what holds for a kind is computed once. Three variants, for use with
// WaitingLine: one that keeps nothing, one that counts, one that lists.
#pragma once

#include <cstdint>
#include <map>
#include <set>

#include "core/ids.h"
#include "core/resources.h"

namespace tracebed {

// The place of an ask in the order of submission: by application, within it by priority, then by
// age.
struct LineKey {
  ApplicationId application;
  std::int32_t priority = 0;
  AskId ask;
  auto operator<=>(const LineKey&) const = default;
};

// Orders demands by their amounts, one dimension after the other; only for look-up.
struct DemandOrder {
  bool operator()(const Resources& a, const Resources& b) const {
    for (std::size_t d = 0; d < Resources::dimensions_max; ++d) {
      if (a[d] != b[d]) return a[d] < b[d];
    }
    return false;
  }
};

// For schedulers that do not need them.
struct NoDemands {
  struct Kind {};
  static Kind join(const Resources&, const LineKey&) { return {}; }
  static void leave(Kind, const LineKey&) {}
  static bool has_demand(Kind, const Resources&) { return true; }
};

// Counts the asks of each kind.
class DemandCensus {
  using Counts = std::map<Resources, std::uint64_t, DemandOrder>;

 public:
  using Kind = Counts::iterator;
  Kind join(const Resources& demand, const LineKey& ask);
  void leave(Kind kind, const LineKey& ask);
  static bool has_demand(Kind kind, const Resources& demand) { return kind->first == demand; }

  bool empty() const { return counts_.empty(); }
  // The minimum demand of the waiting asks, by dimension: a node with less free in any dimension
  // has room for none. Zero if none waits.
  const Resources& minimum() const;
  // The least of the demands that are for something of a dimension; zero if none is.
  const Resources& least_wanted() const;

 private:
  void find_least() const;

  Counts counts_;
  // Computed on demand.
  mutable Resources minimum_;
  mutable Resources least_wanted_;
  mutable bool is_minimum_known_ = true;
};

// Lists the asks of each kind.
class DemandList {
 public:
  using Kinds = std::map<Resources, std::set<LineKey>, DemandOrder>;
  using Kind = Kinds::iterator;
  Kind join(const Resources& demand, const LineKey& ask);
  void leave(Kind kind, const LineKey& ask);
  static bool has_demand(Kind kind, const Resources& demand) { return kind->first == demand; }

  // No kind is empty.
  const Kinds& kinds() const { return kinds_; }

 private:
  Kinds kinds_;
};

}  // namespace tracebed
