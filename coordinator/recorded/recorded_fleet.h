// A past run as a fleet: the same arrivals at the same times and in the same rounds. An engine
// built as it was in that run makes the same decisions from them, down to the digest.
#pragma once

#include "core/fleet.h"
#include "core/round_log.h"

namespace tracebed {

// The recorded rounds hold the submissions too, so no workload source is needed beside this fleet.
class RecordedFleet final : public Fleet {
 public:
  // `rounds` outlives the fleet.
  explicit RecordedFleet(RoundSource& rounds) : rounds_(rounds) {}

  // The commands were carried out in the recorded run; their outcomes are in the rounds.
  void execute(std::span<const Command> commands, const HeartbeatInterest& interest) override;

  // Returns the next recorded round, whatever the deadline: the recorded run met its own. After the
  // last one, `round.now` is `never`. Throws InputError on a damaged log.
  void wait_until(TraceTime deadline, Round& round) override;

  std::uint64_t rounds_yielded() const { return rounds_yielded_; }
  // Number of commands; the recorded run had as many if the decisions are the same.
  std::uint64_t commands_seen() const { return commands_seen_; }

 private:
  RoundSource& rounds_;
  std::uint64_t rounds_yielded_ = 0;
  std::uint64_t commands_seen_ = 0;
};

}  // namespace tracebed
