// Identifiers that do not mix. Names from outside are interned once at the edge (core/names.h);
// inside, a thing is a dense 32-bit number, so tables are arrays and every tie can be broken by id.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>

#include "core/check.h"

namespace tracebed {

template <class Tag>
class Id {
 public:
  // The invalid id; it compares greater than every valid one.
  constexpr Id() = default;
  constexpr explicit Id(std::uint32_t value) : value_(value) {}
  constexpr explicit Id(std::size_t value) : value_(static_cast<std::uint32_t>(value)) {
    TRACEBED_CHECK(value <= none, "an id fits in 32 bits");
  }

  constexpr std::uint32_t value() const { return value_; }
  constexpr std::size_t index() const { return value_; }
  constexpr bool is_valid() const { return value_ != none; }
  constexpr auto operator<=>(const Id&) const = default;
  // The id that is `count` after this one.
  constexpr Id operator+(std::size_t count) const { return Id(index() + count); }

 private:
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
  std::uint32_t value_ = none;
};

using JobId = Id<struct JobTag>;                  // n-th job of the trace
using ApplicationId = Id<struct ApplicationTag>;  // n-th job submitted in this run
using AskId = Id<struct AskTag>;
using ContainerId = Id<struct ContainerTag>;
using NodeId = Id<struct NodeTag>;
using RackId = Id<struct RackTag>;
using UserId = Id<struct UserTag>;
using QueueId = Id<struct QueueTag>;
using LabelId = Id<struct LabelTag>;
// n-th leaf of the scheduler's queues that an application of this run was put into
using LeafId = Id<struct LeafTag>;

}  // namespace tracebed

template <class Tag>
struct std::hash<tracebed::Id<Tag>> {
  std::size_t operator()(tracebed::Id<Tag> id) const noexcept { return id.value(); }
};
