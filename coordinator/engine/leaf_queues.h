// The leaf queues that the scheduler put applications into.
#pragma once

#include <string_view>

#include "coordinator/engine/ledger.h"
#include "core/ids.h"
#include "core/names.h"
#include "core/records.h"
#include "core/scheduler.h"

namespace tracebed {

class LeafQueues {
 public:
  // All outlive this.
  LeafQueues(const Scheduler& scheduler, Ledger& ledger, RecordSink& records)
      : scheduler_(scheduler), ledger_(ledger), records_(records) {}

  // Notes in the model which leaf an accepted application is in now.
  void note(ApplicationId id) {
    const std::string_view path = scheduler_.leaf_of(id);
    if (path.empty()) return;
    const std::size_t known = names_.size();
    const LeafId leaf = names_.intern(path);
    if (names_.size() > known) records_.leaf_named(leaf, names_.name(leaf));
    ledger_.set_leaf(id, leaf);
  }
  // By path.
  const NameTable<LeafId>& names() const { return names_; }

 private:
  const Scheduler& scheduler_;
  Ledger& ledger_;
  RecordSink& records_;
  NameTable<LeafId> names_;
};

}  // namespace tracebed
