// What an application could still be given is what its scheduler says.
#include <gtest/gtest.h>

#include "coordinator/engine/doubles.h"

namespace tracebed {
namespace {

using namespace doubles;

class StrictScheduler final : public Scheduler {
 public:
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

TEST(Headroom, IsTheSchedulersAnswerForTheApplication) {
  Records records;
  Resources heard;
  Engine engine({.scheduler = std::make_unique<StrictScheduler>(),
                 .make_master = [&](ApplicationId, Job&,
                                    const ClusterModel&) -> std::unique_ptr<ApplicationMaster> {
                   return std::make_unique<ListeningMaster>(heard);
                 }},
                records);
  Round round;
  round.machines.push_back(plain_machine(4));
  round.arrivals.push_back(NodeJoined{NodeId(0u), 0});
  round.add_job() = plain_job(0, {}, 1, seconds(1));
  round.submit(0);
  std::vector<Command> commands;
  engine.step(round, commands);
  EXPECT_EQ(heard, Resources(1000, 7));
}

}  // namespace
}  // namespace tracebed
