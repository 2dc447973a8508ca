// What a scheduler may decide. Decisions are data: the engine checks each against its ledger, in
// the order given, and commits or refuses it (an event of the next call).
#pragma once

#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "core/ids.h"
#include "core/preemption.h"
#include "core/time.h"

namespace tracebed {

struct Accept {
  ApplicationId application;
};
// The text of the reason is in Decisions::reason.
struct Reject {
  ApplicationId application;
  std::uint32_t reason = 0;
};
// One unit of an ask on a node.
struct Allocate {
  AskId ask;
  NodeId node;
};
// All pending units of a gang ask. The pieces are in Decisions::pieces.
struct AllocateGang {
  AskId ask;
  std::uint32_t first_piece = 0;
  std::uint32_t piece_count = 0;
};
struct GangPiece {
  NodeId node;
  std::uint32_t units = 0;

  bool operator==(const GangPiece&) const = default;
};
// Most gangs have few pieces, and some runs launch hundreds of thousands of gangs a second.
using GangPieces = boost::container::small_vector<GangPiece, 2>;
// The container is preempted: without notifying its master, or as the last resort.
struct Kill {
  ContainerId container;
  std::uint32_t reason = 0;
};
// Marks the container for preemption, on the terms in Decisions::terms, and notifies its
// application. New terms replace those of a container that is marked already.
struct Preempt {
  ContainerId container;
  std::uint32_t terms = 0;
};
// Withdraws the preemption request: the container is no longer marked, and nothing replaces it.
struct WithdrawPreemption {
  ContainerId container;
};
// Ends an accepted application: its master is no longer called, and its containers are killed. The
// text of the reason is in Decisions::reason.
struct EndApplication {
  ApplicationId application;
  std::uint32_t reason = 0;
};
// A Tick event at this time, which must be later than now. A later WakeAt replaces an earlier one.
struct WakeAt {
  TraceTime at;
};

using Decision = std::variant<Accept, Reject, Allocate, AllocateGang, Kill, WakeAt, EndApplication,
                              Preempt, WithdrawPreemption>;

// Small and trivially copyable, since some runs make a million of them a second.
static_assert(std::is_trivially_copyable_v<Decision> && sizeof(Decision) <= 24);

class Decisions {
 public:
  void accept(ApplicationId application) { list_.emplace_back(Accept{application}); }
  void reject(ApplicationId application, std::string reason) {
    list_.emplace_back(Reject{application, add_reason(std::move(reason))});
  }
  void allocate(AskId ask, NodeId node) { list_.emplace_back(Allocate{ask, node}); }
  void allocate_gang(AskId ask, std::span<const GangPiece> pieces) {
    list_.emplace_back(AllocateGang{ask, static_cast<std::uint32_t>(pieces_.size()),
                                    static_cast<std::uint32_t>(pieces.size())});
    pieces_.insert(pieces_.end(), pieces.begin(), pieces.end());
  }
  void kill(ContainerId container, std::string reason) {
    list_.emplace_back(Kill{container, add_reason(std::move(reason))});
  }
  void preempt(ContainerId container, PreemptionTerms terms) {
    terms_.push_back(std::move(terms));
    list_.emplace_back(Preempt{container, static_cast<std::uint32_t>(terms_.size() - 1)});
  }
  void withdraw_preemption(ContainerId container) {
    list_.emplace_back(WithdrawPreemption{container});
  }
  void end_application(ApplicationId application, std::string reason) {
    list_.emplace_back(EndApplication{application, add_reason(std::move(reason))});
  }
  void wake_at(TraceTime at) { list_.emplace_back(WakeAt{at}); }

  std::span<const Decision> list() const { return list_; }
  std::span<const GangPiece> pieces(const AllocateGang& gang) const {
    return std::span(pieces_).subspan(gang.first_piece, gang.piece_count);
  }
  const std::string& reason(const Reject& reject) const { return reasons_[reject.reason]; }
  const std::string& reason(const Kill& kill) const { return reasons_[kill.reason]; }
  const std::string& reason(const EndApplication& end) const { return reasons_[end.reason]; }
  const PreemptionTerms& terms(const Preempt& preempt) const { return terms_[preempt.terms]; }
  bool empty() const { return list_.empty(); }
  void clear() {
    list_.clear();
    pieces_.clear();
    reasons_.clear();
    terms_.clear();
  }

 private:
  std::uint32_t add_reason(std::string reason) {
    reasons_.push_back(std::move(reason));
    return static_cast<std::uint32_t>(reasons_.size() - 1);
  }

  std::vector<Decision> list_;
  std::vector<GangPiece> pieces_;
  std::vector<std::string> reasons_;
  std::vector<PreemptionTerms> terms_;
};

}  // namespace tracebed
