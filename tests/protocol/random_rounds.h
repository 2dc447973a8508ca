// Rounds with everything in them that a log must keep, drawn from a seed.
#pragma once

#include <string>
#include <vector>

#include "core/fleet.h"
#include "core/names.h"
#include "core/random.h"

namespace tracebed::test {

class RandomRounds {
 public:
  // Interns users and queues into `names` as jobs of later rounds need them.
  RandomRounds(std::uint64_t seed, Names& names) : random_(seed), names_(names) {}

  void fill(Round& round);
  // What a master says, of any kind.
  void fill_call(MasterCall& call);

 private:
  std::string word();
  Resources resources();
  Work work();
  void fill_rigid(Job& job);
  void fill_general(Job& job);
  void fill_details(Stage& stage, std::size_t index);
  Arrival job(Round& round);
  Arrival machine(Round& round);
  Arrival refresh(Round& round);
  Arrival container_ended();
  std::uint32_t number(std::uint64_t below = 1'000) {
    return static_cast<std::uint32_t>(random_.below(below));
  }
  SetAsk ask();
  AttemptProgress progress();
  LaunchTask launch();
  MasterAction action();
  Arrival gang_ended();
  AdministratorCommand order();
  NodeId node() { return NodeId(static_cast<std::uint32_t>(random_.below(1000))); }

  Random random_;
  Names& names_;
  TraceTime now_{};
  std::uint32_t next_job_ = 0;
};

// Every field of the round in words; two rounds are equal for a log if these are.
std::string describe(const Round& round);

// A simple rigid job of one task submitted, ended and heartbeat over: what a log of a large virtual
// run is made of.
void fill_with_simple_job(Round& round, std::uint32_t number, UserId user, QueueId queue);

}  // namespace tracebed::test
