#include "applications/preemption/preemptible_master.h"

#include <algorithm>
#include <tuple>

namespace tracebed {
namespace {

class PreemptionAnswer {
 public:
  PreemptionAnswer(PreemptionPolicy policy, TraceTime now, std::span<const HeldContainer> held,
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
    if (policy_ == PreemptionPolicy::hadoop_kill) {
      return give(StrictContract{contract.containers});
    }
    const std::vector<std::size_t> order = candidates(contract);
    for (const PreemptionResourceRequest& request : contract.requests) {
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
    return policy_ != PreemptionPolicy::hadoop_checkpoint || kinds_[index] == StageKind::reduce;
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
      if (policy_ == PreemptionPolicy::reduces_first) {
        candidate.rank = kinds_[i] == StageKind::reduce ? 0 : 1;
      } else if (policy_ == PreemptionPolicy::checkpoint) {
        candidate.rank = is_suggested(contract, held.container) ? 0 : 1;
      } else if (policy_ == PreemptionPolicy::cheapest_first) {
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
  void cover(const PreemptionResourceRequest& request, std::span<const std::size_t> order) {
    Resources needed = request.capability * static_cast<std::int64_t>(request.count);
    const auto reduces = [&](const HeldContainer& held) {
      const bool is_on_node = !request.node.is_valid() || held.node == request.node;
      if (!is_on_node) return false;
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
        policy_ == PreemptionPolicy::checkpoint || policy_ == PreemptionPolicy::hadoop_checkpoint;
    if (keeps && held.work_begun != never) {
      actions_.push_back(CheckpointTask{held.container});
    } else {
      actions_.push_back(KillTask{held.container});
    }
  }

  PreemptionPolicy policy_;
  TraceTime now_;
  std::span<const HeldContainer> held_;
  std::span<const StageKind> kinds_;
  MasterActions& actions_;
  std::vector<bool> is_going_;  // by position in held_
  std::vector<bool> counted_;   // likewise: covers a request
};

}  // namespace

PreemptionPolicy read_preemption_policy(SettingReader& reader) {
  constexpr PreemptionPolicy all[] = {
      PreemptionPolicy::newest_first,     PreemptionPolicy::cheapest_first,
      PreemptionPolicy::reduces_first,    PreemptionPolicy::checkpoint,
      PreemptionPolicy::ignore,           PreemptionPolicy::hadoop_kill,
      PreemptionPolicy::hadoop_checkpoint};
  return all[reader.choice(preemption_policy_setting.name,
                           {"newest_first", "cheapest_first", "reduces_first", "checkpoint",
                            "ignore", "hadoop_kill", "hadoop_checkpoint"})];
}

void yield(PreemptionPolicy policy, TraceTime now, const PreemptionMessage& message,
           std::span<const HeldContainer> held, std::span<const StageKind> kinds,
           MasterActions& actions) {
  if (policy == PreemptionPolicy::ignore) return;
  PreemptionAnswer given(policy, now, held, kinds, actions);
  if (message.strict) given.give(*message.strict);
  if (message.negotiable) given.give(*message.negotiable);
}

void PreemptibleMaster::preempted(TraceTime now, const PreemptionMessage& message,
                                  std::span<const HeldContainer> held, MasterActions& actions) {
  std::vector<StageKind> kinds;
  kinds.reserve(held.size());
  for (const HeldContainer& each : held) kinds.push_back(kind_of(each.task));
  if (message.strict) {
    for (const PreemptionContainer& contract : message.strict->containers) {
      if (!contract.leaves_node) continue;
      const auto found =
          std::lower_bound(held.begin(), held.end(), contract.container,
                           [](const HeldContainer& a, ContainerId b) { return a.container < b; });
      const bool is_held = found != held.end() && found->container == contract.container;
      if (is_held) move_task(*found, contract.destination);
    }
  }
  if (policy_ == PreemptionPolicy::ignore) return;
  const std::optional<PreemptionMessage> left = give_back_idle(now, message, actions);
  yield(policy_, now, left ? *left : message, held, kinds, actions);
}

}  // namespace tracebed
