// Predicates, then priorities, as Kubernetes' scheduler decides (version 1.5, which Du et al. used:
// plugin/pkg/scheduler/generic_scheduler.go). A unit goes to the node that meets all predicates and
// has the highest score,
//   score = Σ priority × weight                                      (formula (1) of Du et al.).
// Who is next: unit_placement.h.
//
// Deviations, each on purpose:
// - [kubernetes-ties] Of nodes with the same score, the priorities of the setting `ties` decide,
//   one after the other, and at last the id or a draw; the original takes them in turn
//   (generic_scheduler.go, selectHost).
// - [kubernetes-fewer-nodes] With percentage_of_nodes below 100 the search ends when so many
//   candidates were found, as in later versions (numFeasibleNodesToFind), and the next one begins
//   after the last node that this one looked at.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <vector>

#include "core/random.h"
#include "schedulers/placement/unit_placement.h"
#include "schedulers/weighted/application_containers.h"
#include "schedulers/weighted/weighted_settings.h"

namespace tracebed {

class WeightedScheduler final : public UnitPlacement {
 public:
  // `names` may be null; outlives it otherwise.
  WeightedScheduler(const WeightedSettings& settings, std::size_t dimensions, const Names* names);

  bool reads_input_blocks() const override { return reads_input_; }
  std::vector<WaitingReason> why_waiting(const ClusterModel& cluster, ApplicationId application,
                                         AskId ask) const override;
  bool reads_reports() const override { return reads_reports_; }
  bool waits_for_reports() const override { return waits_for_reports_; }
  bool is_healthy(const Node& node, const NodeReport& report, TraceTime now) const override;

 private:
  // A candidate as it is compared: larger is better.
  struct Ranked {
    Score sum = 0;
    std::array<Score, WeightedSettings::ties_max> ties{};
    NodeId node;

    bool is_equal(const Ranked& other) const { return sum == other.sum && ties == other.ties; }
    bool is_before(const Ranked& other) const {
      return sum != other.sum ? sum > other.sum : ties > other.ties;
    }
  };

  void begin_call(const SchedulerInput& input) override;
  void node_changed(const ClusterModel&, NodeId) override {}
  void begin_ask(const PlacedAsk& placed, std::uint32_t wanted) override;
  NodeId choose(const PlacedAsk& placed) override;
  void end_ask(const PlacedAsk& placed, std::uint32_t units) override;
  bool is_choosy(const Ask& ask) const override;

  UnitRequest request_of(AskId id, const Ask& ask) const;
  CandidateNode candidate(const ClusterModel& cluster, const UnitRequest& request,
                          NodeId node) const;
  // The first that does not hold; null if all do.
  const Predicate* failed(const UnitRequest& request, const CandidateNode& candidate) const;
  // Notes what else than room excludes a node.
  bool meets_all(const UnitRequest& request, const CandidateNode& candidate);
  bool will_do(const PlacedAsk& placed, NodeId node);
  Ranked ranked(const UnitRequest& request, const CandidateNode& candidate) const;
  void find_candidates(const PlacedAsk& placed);
  void find_some_candidates(const PlacedAsk& placed, std::size_t wanted);
  std::size_t candidates_wanted() const;
  // After a unit was placed on the node.
  void rank_anew(const PlacedAsk& placed, NodeId node);
  NodeId best();
  NodeId draw(const PlacedAsk& placed);
  void count(const PlacedAsk& placed, NodeId node);
  const InputPresence* presence_of(const ClusterModel& cluster, const Ask& ask);
  std::vector<NodeScore> scores_of_all(const PlacedAsk& placed) const;

  WeightedSettings settings_;
  std::size_t dimensions_;
  const Names* names_;
  bool reads_input_ = false;
  bool counts_applications_ = false;
  bool counts_users_ = false;
  bool reads_reports_ = false;
  bool waits_for_reports_ = false;
  Random random_;
  AllowedPlaces allowed_;
  ApplicationContainers of_applications_;
  std::map<ApplicationId, InputPresence> presences_;
  std::size_t next_node_ = 0;  // where the next search among some of the nodes begins

  // ---- of the ask at hand ----
  const InputPresence* input_ = nullptr;
  std::vector<std::uint32_t> of_application_;  // its containers, by node
  std::uint32_t most_of_application_ = 0;
  std::vector<std::uint32_t> of_user_;  // likewise of its user
  std::uint32_t most_of_user_ = 0;
  std::map<NodeId, std::uint32_t> placed_as_preferred_;
  std::vector<Ranked> candidates_;  // by id, unless the search began elsewhere
  bool are_candidates_known_ = false;
  bool was_excluded_ = false;  // a node that has room, by a predicate
  NodeId last_chosen_;
  std::vector<NodeId> gang_nodes_;
  std::vector<NodeId> equals_;
};

}  // namespace tracebed
