// What an application could still be given is what its scheduler says.
#include <gtest/gtest.h>

#include "coordinator/engine/doubles.h"

namespace tracebed {
namespace {

using namespace doubles;

class StrictScheduler final : public Scheduler {
 public:
  explicit StrictScheduler(LimitedDimensions limits = LimitedDimensions::all()) : limits_(limits) {}
  LimitedDimensions limited_dimensions() const override { return limits_; }
  void decide(const SchedulerInput& input, Decisions& decisions) override {
    for (const SchedulerEvent& event : input.events) {
      if (const auto* added = std::get_if<ApplicationAdded>(&event)) {
        decisions.accept(added->application);
      }
    }
  }
  Resources headroom(const ClusterModel&, ApplicationId application) const override {
    return {1000, 7 + application.value()};
  }

 private:
  LimitedDimensions limits_;
};

class ListeningMaster final : public ApplicationMaster {
 public:
  explicit ListeningMaster(Resources& heard) : heard_(heard) {}
  void start(TraceTime now, MasterActions& actions) override {
    actions.emplace_back(HeartbeatAt{now});
  }
  void granted(TraceTime, const Grant&, MasterActions&) override {}
  void attempt_ended(TraceTime, const AttemptEnd&, MasterActions&) override {}
  void node_lost(TraceTime, NodeId, MasterActions&) override {}
  void heartbeat(TraceTime, const Resources& headroom, MasterActions&) override {
    heard_ = headroom;
  }

 private:
  Resources& heard_;
};

// What a master hears, under a scheduler that counts these dimensions.
Resources heard_with(LimitedDimensions limits, bool limit_vcores = false) {
  Records records;
  Resources heard;
  Engine engine({.scheduler = std::make_unique<StrictScheduler>(limits),
                 .make_master = [&](ApplicationId, Job&,
                                    const ClusterModel&) -> std::unique_ptr<ApplicationMaster> {
                   return std::make_unique<ListeningMaster>(heard);
                 },
                 .limit_vcores = limit_vcores},
                records);
  Round round;
  round.machines.push_back(plain_machine(4));
  round.arrivals.push_back(NodeJoined{NodeId(0u), 0});
  round.add_job() = plain_job(0, {}, 1, seconds(1));
  round.submit(0);
  std::vector<Command> commands;
  engine.step(round, commands);
  return heard;
}

TEST(Headroom, IsTheSchedulersAnswerForTheApplication) {
  EXPECT_EQ(heard_with(LimitedDimensions::all()), Resources(1000, 7));
}

// As YARN's masters are told the scheduler's resource types.
TEST(Headroom, TellsWhichDimensionsLimit) {
  const Resources heard = heard_with(LimitedDimensions::all_but_vcores());
  EXPECT_EQ(LimitedDimensions::of_told(heard), LimitedDimensions::all_but_vcores());
  EXPECT_EQ(heard.memory_mib(), 7);
  EXPECT_EQ(heard_with(LimitedDimensions::all_but_vcores(), true), Resources(1000, 7));
}

}  // namespace
}  // namespace tracebed
