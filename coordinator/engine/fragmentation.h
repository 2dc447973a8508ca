// How much of the free devices no typical task could use: the fragmentation measure of Weng et al.,
// "Beware of Fragmentation: Scheduling GPU-Sharing Workloads with Fragmentation Gradient Descent"
// (USENIX ATC 2023), section 3. Only for the record: no decision depends on it.
//
// Of a node n and a task m that demands devices, fragments are, as there, all that is free on n's
// devices if m has no room on n, otherwise what is free on those devices on which m has no room
// (for a demand of whole devices: on those that are not free altogether). A node's fragments are
// the mean over typical tasks; these are the tasks of all jobs that were submitted so far.
// The paper counts tasks without a demand for GPUs too, to which all of them are fragments. They
// are left out here, since no placement changes that part.
//
// The figure is kept up to date by the nodes that changed: a sample costs the number of these times
// that of different demands.
#pragma once

#include <cstdint>
#include <vector>

#include "coordinator/engine/ledger.h"
#include "core/records.h"
#include "core/workload.h"

namespace tracebed {

class Fragmentation {
 public:
  // Different demands that are told apart; tasks with further ones are left out.
  static constexpr std::size_t demands_max = 4'096;

  // `ledger` outlives this.
  explicit Fragmentation(Ledger& ledger) : ledger_(ledger), cluster_(ledger.model()) {}

  // Returns how many of its tasks are left out.
  std::uint64_t job_submitted(const Job& job);
  DeviceSample sample();

 private:
  struct Demand {
    Resources amount;
    std::uint64_t tasks = 0;
    std::int64_t fragments = 0;              // on all nodes
    std::vector<std::int64_t> by_node = {};  // shorter if further nodes have none
  };

  std::int64_t fragments(const Node& node, const Resources& demand) const;
  void count(Demand& demand, const Node& node);
  void count_free(const Node& node);
  bool demands_devices(const Resources& demand) const;

  Ledger& ledger_;  // of which it takes the list of changed nodes
  const ClusterModel& cluster_;
  std::vector<Demand> demands_;
  std::int64_t free_ = 0;                   // on all nodes
  std::vector<std::int64_t> free_by_node_;  // likewise
};

}  // namespace tracebed
