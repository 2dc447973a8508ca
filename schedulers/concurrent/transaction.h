// What a scheduler decided on its snapshot of the cluster, until it is committed.
#pragma once

#include <cstdint>
#include <vector>

#include "core/decisions.h"
#include "core/ids.h"
#include "core/time.h"

namespace tracebed {

// Units of an ask: of a gang all of them, else those that were placed one after the other on a
// node.
struct ProposedUnits {
  AskId ask;
  ApplicationId application;
  bool is_gang = false;
  GangPieces pieces;  // one, unless it is a gang
};

struct Transaction {
  std::vector<ApplicationId> jobs;       // that were decided about
  std::vector<ProposedUnits> proposals;  // in the order in which they were made
  TraceTime ready_at = never;            // when it is to be committed
  Duration thinking{};                   // how long the decisions took
  std::uint64_t version = 0;             // of the snapshot
  std::uint64_t releases = 0;            // so often had something become free before it
  bool is_partial = false;               // others held offers of nodes that it did not see
};

}  // namespace tracebed
