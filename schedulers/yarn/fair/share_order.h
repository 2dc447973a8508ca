// A schedulable's place among its siblings, computed once, so that siblings can be kept in order:
// only those that changed are moved, while the original sorts all of them for every container. Two
// keys under one policy and cluster compare as share_policy.h compares the schedulables they were
// made of.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <string_view>

#include "core/resources.h"
#include "core/time.h"
#include "schedulers/yarn/fair/share_policy.h"

namespace tracebed {

// A Schedulable whose amounts are stored elsewhere.
struct ShareFigures {
  const Resources& demand;
  const Resources& usage;
  const Resources& minimum;
  float weight = 1;
  std::int32_t priority = 0;
  TraceTime start{};
  std::string_view name;  // outlives the key
  std::uint32_t id = 0;
};

class ShareKey {
 public:
  ShareKey(const ShareFigures& figures, SharePolicy policy, const Resources& cluster);

  // Smaller is offered resources first.
  std::strong_ordering operator<=>(const ShareKey& other) const;
  bool operator==(const ShareKey& other) const { return (*this <=> other) == 0; }

 private:
  void order_by_fair(const ShareFigures& figures);
  template <class Real>
  void order_by_drf(const ShareFigures& figures, const Resources& cluster);

  std::uint8_t rank_ = 0;   // of classes that come one after the other
  std::uint8_t count_ = 0;  // of quotients; equal for the siblings of a class
  std::array<double, Resources::dimensions_max> quotients_{};  // the first count_ of them
  TraceTime start_;
  std::string_view name_;
  std::uint32_t id_;
};

}  // namespace tracebed
