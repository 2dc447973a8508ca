// Flows through links with rates (disks, network interfaces, rack uplinks), max-min fair at every
// moment by their weights: no flow could be faster without one becoming slower that is no faster
// than it, where both are divided by their weights (D. Bertsekas, R. Gallager, Data Networks, 2nd
// edition, section 6.5.2). A flow occupies all links of its path with the same rate. It may have a
// rate of its own that it does not exceed, and may be paced: it takes no more than it needs to end
// when it is due; one that is late takes all it gets.
//
// A link is saturated if its flows could take more than its rate; its level is then what each of
// them may take at most for each unit of its weight, and a flow's rate is the least level of its
// path times its weight. When flows begin or end, only the levels of their links are computed anew,
// then those of links whose load changes by that, lowest first, until no load changes. The rates
// are max-min fair then: each flow has all that it asks for, or a bottleneck, a link that is full
// and on which no flow is faster for its weight. That levels settle when links compute theirs one
// by one is shown by A. Charny, D. Clark and R. Jain, Congestion Control with Explicit Rate
// Indication, ICC 1995.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "coordinator/virtual/flow_ends.h"
#include "coordinator/virtual/recent_saturation.h"
#include "core/ids.h"
#include "core/time.h"

namespace tracebed {

using LinkId = Id<struct LinkTag>;

// Names a flow until it has ended or is cancelled.
struct FlowId {
  std::uint32_t slot = std::numeric_limits<std::uint32_t>::max();
  std::uint32_t instance = 0;
  bool operator==(const FlowId&) const = default;
};

struct FlowDemand {
  std::uint64_t tag = 0;  // the caller's
  std::int64_t bytes = 0;
  TraceTime due{};                       // paced if after its begin
  std::optional<std::int64_t> rate_max;  // bytes per second, at least 1
  double weight = 1;                     // above 0 (checked)
};

class FlowNetwork {
 public:
  static constexpr std::size_t path_max = 8;
  // Of a link's rate. Changes of its load that add up to no more are not passed on, so that a flow
  // among thousands changes its neighbourhood, not all of them. What many links of a path allow
  // adds up: in random networks no rate was off by more than 3 % of what the path's slowest link
  // carries (tests), which flows that begin and end make up for; mean times do not change.
  static constexpr double default_tolerance = 1.0 / 256;

  // As exact as its numbers are.
  static constexpr double least_tolerance = 1e-9;

  explicit FlowNetwork(double tolerance = default_tolerance)
      : tolerance_(std::max(tolerance, least_tolerance)) {}

  // Bytes per second, at least 1; none: unlimited.
  LinkId add_link(std::optional<std::int64_t> rate);

  // From now on saturation() of the link is kept.
  void watch(LinkId link);

  // Times ascend over all calls. The links of the path differ. A flow without a limit ends at once.
  FlowId begin(std::span<const LinkId> path, const FlowDemand& demand, TraceTime now);
  // It is due at another time. Nothing happens if there is no such flow any more.
  void pace(FlowId flow, TraceTime due, TraceTime now);
  // Returns the bytes that it has transferred; 0 if there is no such flow any more.
  std::int64_t cancel(FlowId flow, TraceTime now);
  // Likewise, and it goes on. `now` is not before the last call's.
  std::int64_t transferred(FlowId flow, TraceTime now) const;
  // Appends the tags of the flows that have ended by now, in the order in which they do; at equal
  // times in the order of their begins.
  void take_ended(TraceTime now, std::vector<std::uint64_t>& ended);
  // If no other begins: `never` without any.
  TraceTime next_end();

  // Whether it has neither ended nor was cancelled.
  bool has(FlowId flow) const {
    return flow.slot < flows_.size() && flows_[flow.slot].instance == flow.instance;
  }
  // Bytes per second, now; of a flow that there is.
  double rate_of(FlowId flow);
  // The recent part of the time in which flows of a watched link could take more than its rate.
  // `now` is not before the last call's, and nothing ends until then.
  double saturation(LinkId link, TraceTime now);
  std::size_t size() const { return ends_.size(); }
  // How many levels of links were computed so far.
  std::uint64_t levels_computed() const { return levels_computed_; }

 private:
  static constexpr double unlimited = std::numeric_limits<double>::infinity();

  // Rates are bytes per microsecond.
  struct Member {
    std::uint32_t slot = 0;
    std::uint32_t step = 0;  // of the flow's path
  };
  struct Link {
    double rate = unlimited;
    double load = 0;
    double settled_load = 0;  // when its level was computed
    bool is_dirty = false;
    std::optional<RecentSaturation> saturation;
    std::vector<Member> members;
  };
  struct Step {
    std::uint32_t link = 0;
    std::uint32_t member = 0;  // position in the link's members
  };
  struct Flow {
    std::uint64_t tag = 0;
    std::int64_t bytes = 0;
    TraceTime due;
    double rate_max = unlimited;
    double weight = 1;
    double left = 0;  // bytes at `since`
    double rate = 0;
    TraceTime since;
    std::uint32_t instance = 0;
    std::uint32_t steps = 0;
    std::array<Step, path_max> path;
  };
  struct DirtyLink {
    double level = 0;
    std::uint32_t link = 0;
  };

  void settle();
  // What has changed at an earlier time takes effect from then on.
  void move_to(TraceTime now);
  void mark(std::uint32_t link);
  void mark_if_load_matters(std::uint32_t link);
  void compute_level(std::uint32_t link);
  double level_for(double rate, double wanted, double weights) const;
  // What the flow would take if the link at `step` had no limit.
  double limit_of(const Flow& flow, std::uint32_t except_step) const;
  double need_of(const Flow& flow) const;
  double left_of(const Flow& flow, TraceTime at) const;
  void set_rate(std::uint32_t slot, double rate, std::uint32_t except_link);
  TraceTime end_of(const Flow& flow, double need) const;
  void remove(std::uint32_t slot);

  double tolerance_;
  std::vector<Link> links_;
  std::vector<double> levels_;  // of these; apart, as they are read most
  std::vector<Flow> flows_;     // by slot
  std::vector<std::uint32_t> free_slots_;
  FlowEnds ends_;
  std::vector<std::uint32_t> begun_;  // without a rate so far, or due at another time
  std::vector<DirtyLink> dirty_;      // a heap, lowest level first
  TraceTime now_{};
  // Of a flow of a link whose level is computed.
  struct Limit {
    double rate = 0;  // what it would take without the link
    double weight = 1;
  };
  std::vector<Limit> limits_;  // of compute_level(): kept for its memory
  std::uint64_t levels_computed_ = 0;
};

}  // namespace tracebed
