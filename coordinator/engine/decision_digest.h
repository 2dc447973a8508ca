// The run's digest (invariant 3) and everything that it covers: one verb for each kind of entry. An
// entry begins with a mark of its kind and has a fixed number of words or states its length, so
// that two different sequences of entries never produce the same words.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "coordinator/engine/storage_words.h"
#include "core/decisions.h"
#include "core/devices.h"
#include "core/digest.h"
#include "core/ids.h"
#include "core/outcomes.h"
#include "core/preemption.h"
#include "core/storage_inputs.h"
#include "core/time.h"
#include "core/workload.h"

namespace tracebed {

class DecisionDigest {
 public:
  // ---- what the scheduler decided ----

  void accepted(ApplicationId application) { add(Mark::accept, word(application)); }
  void rejected(ApplicationId application) { add(Mark::reject, word(application)); }
  void ended(ApplicationId application) { add(Mark::end, word(application)); }
  // One container for each piece, in their order.
  void allocated(TraceTime now, ApplicationId application, AskId ask,
                 std::span<const GangPiece> pieces) {
    add(Mark::allocate, word(now), word(ask, application), std::uint64_t{pieces.size()});
    for (const GangPiece& piece : pieces) digest_.add(pair(piece.node.value(), piece.units));
  }
  // Only of a container that has some.
  void devices_taken(ContainerId container, std::span<const DeviceShare> shares) {
    add(Mark::devices, word(container), std::uint64_t{shares.size()});
    for (const DeviceShare& share : shares) {
      digest_.add(pair(share.dimension, share.number));
      digest_.add(static_cast<std::uint64_t>(share.amount));
    }
  }
  void killed(ContainerId container) { add(Mark::kill, word(container)); }
  void preemption_requested(ContainerId container, PreemptionKind kind, TraceTime deadline) {
    add(Mark::preempt, pair(static_cast<std::uint32_t>(kind), container.value()), word(deadline));
  }
  void preemption_withdrawn(ContainerId container) { add(Mark::withdraw, word(container)); }
  void wake_up_at(TraceTime at) { add(Mark::wake, word(at)); }

  // ---- what the engine did ----

  void forced(ContainerId container) { add(Mark::force, word(container)); }
  void relocated(ContainerId container, NodeId destination) {
    add(Mark::relocate, word(container, destination));
  }
  // `was_taken`: by the scheduler.
  void refreshed(TraceTime now, bool was_taken) {
    add(Mark::refresh, word(now), std::uint64_t{was_taken});
  }
  void job_ended(TraceTime now, ApplicationId application, JobOutcome outcome) {
    add(Mark::finish, word(now), pair(static_cast<std::uint32_t>(outcome), application.value()));
  }

  // ---- what masters did ----

  void launched(ContainerId container, TaskRef task) { gang_launched(container, 1, task); }
  // `task` is the first of the first of these containers. What is in which follows from how they
  // were allocated.
  void gang_launched(ContainerId first, std::uint32_t containers, TaskRef task) {
    add(Mark::launch, pair(task.stage, first.value()), pair(containers, task.index));
  }
  void master_launched(ContainerId container) { add(Mark::launch_master, word(container)); }
  void checkpointed(ContainerId container) { add(Mark::checkpoint, word(container)); }

  // ---- what the namenode answered ----

  void datanode_answered(const AnswerDatanode& answer) { add_answer(Mark::datanode, answer); }
  void replicas_ordered(const StoreReplicas& order) { add_answer(Mark::store, order); }
  void storage_call_answered(const AnswerStorageCall& answer) {
    add_answer(Mark::storage_call, answer);
  }

  const Digest& value() const { return digest_; }

 private:
  enum class Mark : std::uint64_t {
    accept = 1,
    reject,
    allocate,
    kill,
    wake,
    launch,
    finish,
    end,
    launch_master,
    preempt,
    withdraw,
    force,
    checkpoint,
    relocate,
    refresh,
    datanode,
    store,
    storage_call,
    devices,
  };

  static std::uint64_t pair(std::uint32_t high, std::uint32_t low) {
    return (std::uint64_t{high} << 32) | low;
  }
  static std::uint64_t word(TraceTime time) {
    return static_cast<std::uint64_t>(to_microseconds(time));
  }
  template <class Tag>
  static std::uint64_t word(Id<Tag> id) {
    return id.value();
  }
  template <class Tag, class OtherTag>
  static std::uint64_t word(Id<Tag> high, Id<OtherTag> low) {
    return pair(high.value(), low.value());
  }
  template <class... Words>
  void add(Mark mark, Words... words) {
    digest_.add(static_cast<std::uint64_t>(mark));
    (digest_.add(std::uint64_t{words}), ...);
  }

  template <class Answer>
  void add_answer(Mark mark, const Answer& answer) {
    add(mark);
    add_words(digest_, answer);
  }

  Digest digest_;
};

}  // namespace tracebed
