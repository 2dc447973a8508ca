#include "applications/preemption/yielding.h"

#include <algorithm>
#include <tuple>

namespace tracebed {
namespace {

class Yielding {
 public:
  Yielding(YieldPolicy policy, TraceTime now, std::span<const HeldContainer> held,
           std::span<const StageKind> kinds, MasterActions& actions)
      : policy_(policy), now_(now), held_(held), kinds_(kinds), actions_(actions) {
    is_going_.reserve(held.size());
    for (const HeldContainer& each : held) is_going_.push_back(each.is_going);
    counted_.resize(held.size());
  }

  void give(const StrictContract& contract) {
    for (const PreemptionContainer& wanted : contract.containers) {
      const std::size_t index = find(wanted.container);
      if (index >= held_.size()) continue;
      counted_[index] = true;  // it covers no amount beside
      if (may_give(index)) give_up(index);
    }
  }

  void give(const NegotiableContract& contract) {
    if (policy_ == YieldPolicy::hadoop_kill) {
      return give(StrictContract{contract.containers});
    }
    const std::vector<std::size_t> order = candidates(contract);
    for (const PreemptionRequest& request : contract.requests) {
      cover(request, order);
    }
  }

 private:
  std::size_t find(ContainerId container) const {
    const auto found = std::lower_bound(
        held_.begin(), held_.end(), container,
        [](const HeldContainer& each, ContainerId id) { return each.container < id; });
    const bool is_held = found != held_.end() && found->container == container;
    return is_held ? static_cast<std::size_t>(found - held_.begin()) : held_.size();
  }

  bool may_give(std::size_t index) const {
    return policy_ != YieldPolicy::hadoop_checkpoint || kinds_[index] == StageKind::reduce;
  }

  // What would be lost with it: the work since it began, in resource-time. Held tasks have done
  // none.
  double loss_of(const HeldContainer& held) const {
    if (held.work_begun == never) return 0;
    const double seconds = to_seconds(now_ - std::min(now_, held.work_begun));
    return seconds * static_cast<double>(held.resources.milli_vcores());
  }

  // Positions of what may be given up, in the order in which it would be.
  std::vector<std::size_t> candidates(const NegotiableContract& contract) const {
    struct Candidate {
      int rank = 0;
      double loss = 0;
      TraceTime begun;
      ContainerId container;
      std::size_t index = 0;
    };
    std::vector<Candidate> all;
    for (std::size_t i = 0; i < held_.size(); ++i) {
      const HeldContainer& held = held_[i];
      if (!may_give(i)) continue;
      Candidate candidate{.begun = held.work_begun, .container = held.container, .index = i};
      if (policy_ == YieldPolicy::reduces_first) {
        candidate.rank = kinds_[i] == StageKind::reduce ? 0 : 1;
      } else if (policy_ == YieldPolicy::checkpoint) {
        candidate.rank = is_suggested(contract, held.container) ? 0 : 1;
      } else if (policy_ == YieldPolicy::cheapest_first) {
        candidate.loss = loss_of(held);
      }
      all.push_back(candidate);
    }
    std::sort(all.begin(), all.end(), [](const Candidate& a, const Candidate& b) {
      return std::tuple(a.rank, a.loss, b.begun, b.container) <
             std::tuple(b.rank, b.loss, a.begun, a.container);
    });
    std::vector<std::size_t> order;
    for (const Candidate& candidate : all) order.push_back(candidate.index);
    return order;
  }

  static bool is_suggested(const NegotiableContract& contract, ContainerId container) {
    return std::binary_search(contract.containers.begin(), contract.containers.end(),
                              PreemptionContainer{container},
                              [](const PreemptionContainer& a, const PreemptionContainer& b) {
                                return a.container < b.container;
                              });
  }

  // What goes already covers requests in their order; what is given up for one covers no other.
  void cover(const PreemptionRequest& request, std::span<const std::size_t> order) {
    Resources needed = request.capability * static_cast<std::int64_t>(request.count);
    const auto reduces = [&](const HeldContainer& held) {
      const bool is_there = !request.node.is_valid() || held.node == request.node;
      if (!is_there) return false;
      for (std::size_t d = 0; d < Resources::dimensions_max; ++d) {
        if (needed[d] > 0 && held.resources[d] > 0) return true;
      }
      return false;
    };
    for (std::size_t i = 0; i < held_.size(); ++i) {
      if (!is_going_[i] || counted_[i] || !reduces(held_[i])) continue;
      counted_[i] = true;
      needed -= held_[i].resources;
    }
    for (const std::size_t index : order) {
      if (is_going_[index] || !reduces(held_[index])) continue;
      give_up(index);
      for (std::size_t i = 0; i < held_.size(); ++i) {
        if (!is_going_[i] || counted_[i]) continue;
        counted_[i] = true;
        needed -= held_[i].resources;
      }
    }
  }

  void give_up(std::size_t index) {
    if (is_going_[index]) return;
    if (kinds_[index] != StageKind::gang) return let_go(index);
    for (std::size_t i = 0; i < held_.size(); ++i) {
      if (!is_going_[i]) let_go(i);
    }
  }

  void let_go(std::size_t index) {
    is_going_[index] = true;
    const HeldContainer& held = held_[index];
    const bool keeps =
        policy_ == YieldPolicy::checkpoint || policy_ == YieldPolicy::hadoop_checkpoint;
    if (keeps && held.work_begun != never) {
      actions_.push_back(CheckpointTask{held.container});
    } else {
      actions_.push_back(KillTask{held.container});
    }
  }

  YieldPolicy policy_;
  TraceTime now_;
  std::span<const HeldContainer> held_;
  std::span<const StageKind> kinds_;
  MasterActions& actions_;
  std::vector<bool> is_going_;  // by position in held_
  std::vector<bool> counted_;   // likewise: covers a request
};

}  // namespace

YieldPolicy read_yield_policy(SettingReader& reader) {
  constexpr YieldPolicy all[] = {YieldPolicy::newest_first,     YieldPolicy::cheapest_first,
                                 YieldPolicy::reduces_first,    YieldPolicy::checkpoint,
                                 YieldPolicy::ignore,           YieldPolicy::hadoop_kill,
                                 YieldPolicy::hadoop_checkpoint};
  return all[reader.choice(yield_policy_setting.name,
                           {"newest_first", "cheapest_first", "reduces_first", "checkpoint",
                            "ignore", "hadoop_kill", "hadoop_checkpoint"})];
}

void yield(YieldPolicy policy, TraceTime now, const PreemptionMessage& message,
           std::span<const HeldContainer> held, std::span<const StageKind> kinds,
           MasterActions& actions) {
  if (policy == YieldPolicy::ignore) return;
  Yielding yielding(policy, now, held, kinds, actions);
  if (message.strict) yielding.give(*message.strict);
  if (message.negotiable) yielding.give(*message.negotiable);
}

void YieldingMaster::preempted(TraceTime now, const PreemptionMessage& message,
                               std::span<const HeldContainer> held, MasterActions& actions) {
  std::vector<StageKind> kinds;
  kinds.reserve(held.size());
  for (const HeldContainer& each : held) kinds.push_back(kind_of(each.task));
  if (message.strict) {
    for (const PreemptionContainer& owed : message.strict->containers) {
      if (!owed.leaves_node) continue;
      const auto found =
          std::lower_bound(held.begin(), held.end(), owed.container,
                           [](const HeldContainer& a, ContainerId b) { return a.container < b; });
      const bool is_held = found != held.end() && found->container == owed.container;
      if (is_held) told_to_move(*found, owed.destination);
    }
  }
  yield(policy_, now, message, held, kinds, actions);
}

}  // namespace tracebed
