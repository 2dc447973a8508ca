// What a scheduler decides on its snapshot of the cluster, until it is committed.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/decisions.h"
#include "core/ids.h"
#include "core/resources.h"
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
  std::vector<ApplicationId> jobs;  // that are decided about, in this order
  std::optional<Resources> offer;   // what all of them may take together; none: what is free
  std::uint64_t number = 0;         // of all transactions
  TraceTime began{};                // when the snapshot was taken
  TraceTime ready_at = never;       // when it is to be committed, if that is known
  Duration thinking{};              // how long the decisions took
  std::uint64_t version = 0;        // of the snapshot
  std::uint64_t releases = 0;       // so often had something become free before it
  bool is_partial = false;          // others held offers of nodes that it did not see

  // ---- decided, possibly in a thread, which touches nothing else of it ----

  std::vector<ProposedUnits> proposals;  // in the order in which they were made
  std::size_t decided = 0;               // the first so many jobs; then the offer was used up
};

}  // namespace tracebed
