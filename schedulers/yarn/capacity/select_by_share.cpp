// Of leaves that have more than they should: their last applications give first
// (monitor.capacity.FifoCandidatesSelector).
#include <algorithm>

#include "schedulers/yarn/capacity/victims.h"

namespace tracebed {
namespace {

class LeafSelection {
 public:
  LeafSelection(const CapacityState& state, QueueIndex leaf, ChosenFor chosen_for, Wants& wants,
                Victims& victims)
      : state_(state),
        leaf_(leaf),
        chosen_for_(chosen_for),
        is_conservative_(state.configuration().preemption.is_conservative),
        wants_(wants),
        victims_(victims) {}

  void select() {
    std::vector<const RunningApplication*> applications = in_reverse_order();
    take_guests(applications);
    for (const RunningApplication* application : applications) {
      if (wants_.empty()) return;
      take_from(*application);
    }
    take_masters();
  }

 private:
  std::vector<const RunningApplication*> in_reverse_order() const {
    std::vector<std::pair<ApplicationRank, const RunningApplication*>> ranked;
    for (const ApplicationId id : state_.leaf(leaf_).active) {
      const RunningApplication* application = state_.application(id);
      ranked.emplace_back(state_.rank_of(*application), application);
    }
    std::sort(ranked.begin(), ranked.end(),
              [](const auto& a, const auto& b) { return b.first < a.first; });
    std::vector<const RunningApplication*> applications;
    for (const auto& [rank, application] : ranked) applications.push_back(application);
    return applications;
  }

  // Containers on nodes of a shared label that did not ask for it, the newest first.
  void take_guests(const std::vector<const RunningApplication*>& applications) {
    if (state_.settings().shared_labels.empty()) return;
    std::vector<LiveContainer*> guests;
    for (const RunningApplication* application : applications) {
      for (LiveContainer& each : victims_.containers().in_order_of(application->id).live) {
        const OpenAsk* ask = state_.ask(each.container->ask);
        if (ask != nullptr && ask->partition != each.partition) guests.push_back(&each);
      }
    }
    std::sort(guests.begin(), guests.end(),
              [](const auto* a, const auto* b) { return a->id > b->id; });
    for (LiveContainer* guest : guests) take(*guest);
  }

  void take_from(const RunningApplication& application) {
    for (const AskId id : application.all_asks) {
      for (const NodeId node : state_.ask(id)->reserved_on) {
        if (wants_.empty()) return;
        if (victims_.is_unreserved(node)) continue;
        victims_.unreserve(node, application, wants_, is_conservative_);
      }
    }
    for (LiveContainer& each : victims_.containers().in_order_of(application.id).live) {
      if (wants_.empty()) return;
      if (each.is_chosen) continue;
      if (each.is_master) {
        masters_.push_back(&each);
        spared_ += each.container->resources;
      } else {
        take(each);
      }
    }
  }

  // Masters that were passed over, as long as more of them are spared than the queue may have.
  void take_masters() {
    const QueueUse& use = state_.tree()[leaf_].uses[default_partition];
    const Resources most =
        multiply_and_cut(multiply_and_cut(victims_.cluster(), use.figures.absolute_capacity),
                         use.basis.application_master_share);
    for (LiveContainer* master : masters_) {
      if (wants_.empty()) return;
      if (victims_.calculator().compare(spared_, most, victims_.cluster()) <= 0) return;
      if (take(*master)) spared_ -= master->container->resources;
    }
  }

  bool take(LiveContainer& container) {
    return victims_.take(container, wants_, chosen_for_, is_conservative_);
  }

  const CapacityState& state_;
  const QueueIndex leaf_;
  const ChosenFor chosen_for_;
  const bool is_conservative_;
  Wants& wants_;
  Victims& victims_;
  std::vector<LiveContainer*> masters_;  // the newest application's first
  Resources spared_;                     // Σ masters_ that were not taken
};

}  // namespace

void select_by_share(const CapacityState& state, const Balances& balances, ChosenFor chosen_for,
                     Victims& victims) {
  for (QueueIndex i = 0; i < state.tree().size(); ++i) {
    if (state.tree()[i].leaf == nullptr) continue;
    Wants wants(victims.calculator(), victims.cluster());
    for (PartitionIndex p = 0; p < balances.size(); ++p) {
      wants.add(p, balances[p][i].to_obtain);
    }
    if (!wants.empty()) LeafSelection(state, i, chosen_for, wants, victims).select();
  }
}

}  // namespace tracebed
