// What a story does to an application beside rounds.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "coordinator/engine/doubles.h"

namespace tracebed {
namespace {

using namespace doubles;

class StagingTest : public testing::Test {
 protected:
  StagingTest()
      : engine_({.scheduler = std::make_unique<ScriptedScheduler>(
                     [this](const SchedulerInput& input, Decisions& decisions) {
                       for (const SchedulerEvent& event : input.events) {
                         events_.push_back(event);
                         const auto* added = std::get_if<ApplicationAdded>(&event);
                         if (added != nullptr && accepts_) decisions.accept(added->application);
                       }
                     }),
                 .make_master = plain_master,
                 .paranoid = true},
                records_) {}

  void begin() {
    Round round;
    round.machines.push_back(plain_machine(2));
    round.arrivals.push_back(NodeJoined{NodeId(0u), 0});
    round.add_job() = plain_job(0, {}, 3, seconds(1));
    round.submit(0);
    engine_.step(round, commands_);
    events_.clear();
  }
  Status place(AskSlot slot) {
    const StagedContainer container{slot, NodeId(0u)};
    return engine_.stage(trace_time(1), {ApplicationId(0u), {}, std::span(&container, 1)},
                         commands_);
  }
  template <class Event>
  std::vector<Event> heard() const {
    std::vector<Event> found;
    for (const SchedulerEvent& event : events_) {
      if (const auto* wanted = std::get_if<Event>(&event)) found.push_back(*wanted);
    }
    return found;
  }

  Records records_;
  bool accepts_ = true;
  std::vector<SchedulerEvent> events_;
  std::vector<Command> commands_;
  Engine engine_;
};

TEST_F(StagingTest, PlacesAContainerThatTheSchedulerIsToldOfAndAsksForNoLess) {
  begin();
  ASSERT_TRUE(place(0).has_value());
  const auto recovered = heard<ContainerRecovered>();
  ASSERT_EQ(recovered.size(), 1u);
  EXPECT_EQ(recovered[0].node, NodeId(0u));
  EXPECT_EQ(recovered[0].resources, Resources(1000, 1024));
  const Container& container = engine_.cluster().containers[recovered[0].container];
  EXPECT_EQ(container.application, ApplicationId(0u));
  EXPECT_EQ(container.ask, recovered[0].ask);
  EXPECT_EQ(engine_.cluster().asks[recovered[0].ask].pending, 3u);
  EXPECT_EQ(engine_.cluster().node(NodeId(0u)).free, Resources(1000, 1024));
  EXPECT_EQ(commands_.size(), 1u);  // the master launched its first task in it
}

TEST_F(StagingTest, PerformsActionsInTheMastersName) {
  begin();
  const std::vector<MasterAction> actions{SetAsk{.slot = 1, .demand = {500, 512}, .pending = 4}};
  ASSERT_TRUE(engine_.stage(trace_time(1), {ApplicationId(0u), actions, {}}, commands_));
  ASSERT_EQ(heard<AskChanged>().size(), 1u);
  EXPECT_EQ(engine_.cluster().asks[heard<AskChanged>()[0].ask].pending, 4u);
}

TEST_F(StagingTest, FailsWhereThereIsNoAskOrNoRoomOrNoAnswer) {
  begin();
  EXPECT_EQ(place(7).error().message, "there is no such ask");
  ASSERT_TRUE(place(0) && place(0));
  EXPECT_EQ(place(0).error().message, "the node node has no room for it");
  const StagedActions gone{ApplicationId(9u), {}, {}};
  EXPECT_EQ(engine_.stage(trace_time(1), gone, commands_).error().message,
            "the application has ended");
}

TEST_F(StagingTest, FailsForAnApplicationThatIsNotAccepted) {
  accepts_ = false;
  begin();
  EXPECT_FALSE(engine_.is_accepted(ApplicationId(0u)));
  EXPECT_EQ(place(0).error().message, "the scheduler has not accepted the application");
}

}  // namespace
}  // namespace tracebed
