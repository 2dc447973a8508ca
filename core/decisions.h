// What a scheduler may decide. Decisions are data: the engine checks each against its ledger, in
// the order given, and commits it or refuses it (an event of the next call).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "core/ids.h"
#include "core/time.h"

namespace tracebed {

struct Accept {
  ApplicationId application;
};
struct Reject {
  ApplicationId application;
  std::string reason;
};
// One unit of an ask on a node.
struct Allocate {
  AskId ask;
  NodeId node;
};
// All pending units of a gang ask. The pieces stand in Decisions::pieces.
struct AllocateGang {
  AskId ask;
  std::uint32_t first_piece = 0;
  std::uint32_t piece_count = 0;
};
struct GangPiece {
  NodeId node;
  std::uint32_t units = 0;
};
struct Kill {
  ContainerId container;
  std::string reason;
};
// A Tick event at this time, which must be later than now. A later WakeAt replaces an earlier one.
struct WakeAt {
  TraceTime at;
};

using Decision = std::variant<Accept, Reject, Allocate, AllocateGang, Kill, WakeAt>;

class Decisions {
 public:
  void accept(ApplicationId application) { list_.push_back(Accept{application}); }
  void reject(ApplicationId application, std::string reason) {
    list_.push_back(Reject{application, std::move(reason)});
  }
  void allocate(AskId ask, NodeId node) { list_.push_back(Allocate{ask, node}); }
  void allocate_gang(AskId ask, std::span<const GangPiece> pieces) {
    list_.push_back(AllocateGang{ask, static_cast<std::uint32_t>(pieces_.size()),
                                 static_cast<std::uint32_t>(pieces.size())});
    pieces_.insert(pieces_.end(), pieces.begin(), pieces.end());
  }
  void kill(ContainerId container, std::string reason) {
    list_.push_back(Kill{container, std::move(reason)});
  }
  void wake_at(TraceTime at) { list_.push_back(WakeAt{at}); }

  std::span<const Decision> list() const { return list_; }
  std::span<const GangPiece> pieces(const AllocateGang& gang) const {
    return std::span(pieces_).subspan(gang.first_piece, gang.piece_count);
  }
  bool empty() const { return list_.empty(); }
  void clear() {
    list_.clear();
    pieces_.clear();
  }

 private:
  std::vector<Decision> list_;
  std::vector<GangPiece> pieces_;
};

}  // namespace tracebed
