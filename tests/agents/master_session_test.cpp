// tracebed-appmaster's side of the conversation, in made-up time.
#include "agents/appmaster/master_session.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "agents/appmaster/appmaster.h"
#include "protocol/wire_codec.h"

namespace tracebed::appmaster {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

constexpr SteadyTime zero{};

// A job of two maps, whose master beats every second of trace time, ten of which pass in one.
wire::MasterJob two_maps() {
  wire::MasterJob told;
  told.job.id = JobId(0u);
  Stage maps;
  maps.demand = Resources(1000, 1024);
  maps.runs = {{2, Work{.duration = seconds(5)}}};
  told.job.stages = {maps};
  told.nodes = {{"a", RackId(0u), {}}};
  told.heartbeat_interval = seconds(1);
  told.time_scale = 10;
  told.timeout = 10s;
  return told;
}

class Session : public testing::Test {
 protected:
  // What it says next, at most one thing.
  std::optional<wire::Body> noted(SteadyTime now) {
    session_.tick(now);
    std::vector<wire::Message> messages = session_.take_messages();
    EXPECT_LE(messages.size(), 1u);
    if (messages.empty()) return std::nullopt;
    EXPECT_EQ(messages.front().envelope.run, "run");
    EXPECT_EQ(messages.front().envelope.session, 7u);
    EXPECT_EQ(messages.front().envelope.sequence, ++heard_);
    return messages.front().body;
  }
  MasterCall call(SteadyTime now) {
    const auto body = noted(now);
    return body ? std::get<MasterCall>(*body) : MasterCall{.sequence = 0};
  }
  void tell(wire::Body body, SteadyTime now) {
    session_.take({{"run", 3, 7, ++told_}, std::move(body)}, now);
  }
  void answer(std::uint64_t sequence, TraceTime at, SteadyTime now,
              std::vector<MasterNews> news = {}) {
    MasterAnswer answer;
    answer.application = ApplicationId(4u);
    answer.attempt = 1;
    answer.sequence = sequence;
    answer.now = at;
    answer.news = std::move(news);
    tell(answer, now);
  }

  MasterSession session_{Identity{"run", 3, 7, ApplicationId(4u), 1}, host_job, zero};
  std::uint64_t heard_ = 0;
  std::uint64_t told_ = 0;
};

TEST_F(Session, SaysHelloUntilItIsToldItsJobAndThenRegisters) {
  EXPECT_TRUE(std::holds_alternative<wire::MasterHello>(*noted(zero)));
  EXPECT_FALSE(noted(zero + 999ms));
  EXPECT_TRUE(std::holds_alternative<wire::MasterHello>(*noted(zero + 1s)));
  tell(two_maps(), zero + 1s);
  const MasterCall registration = call(zero + 1s);
  EXPECT_EQ(registration.kind, MasterCallKind::registration);
  EXPECT_EQ(registration.sequence, 1u);
}

TEST_F(Session, CallsOncePerHeartbeatOfTheWallClock) {
  tell(two_maps(), zero);
  call(zero);
  answer(1, TraceTime(seconds(50)), zero + 10ms);
  EXPECT_FALSE(noted(zero + 109ms));
  const MasterCall allocation = call(zero + 110ms);
  EXPECT_EQ(allocation.kind, MasterCallKind::allocation);
  ASSERT_EQ(allocation.actions.size(), 1u);
  EXPECT_EQ(std::get<SetAsk>(allocation.actions.front()).pending, 2u);
}

TEST_F(Session, SendsACallAgainThatIsNotAnswered) {
  tell(two_maps(), zero);
  call(zero);
  EXPECT_FALSE(noted(zero + 999ms));
  EXPECT_EQ(call(zero + 1s).sequence, 1u);
  EXPECT_EQ(session_.counters().calls_sent_again, 1u);
  answer(1, TraceTime(seconds(1)), zero + 1s);
  answer(1, TraceTime(seconds(1)), zero + 1s);
  EXPECT_EQ(session_.counters().repeats, 1u);
}

TEST_F(Session, LaunchesAtOnceAndUnregistersWhenAllHasEnded) {
  tell(two_maps(), zero);
  call(zero);
  answer(1, TraceTime(seconds(1)), zero);
  call(zero + 100ms);
  const Grant first{ContainerId(1u), 2, NodeId(0u), RackId(0u), 1};
  const Grant second{ContainerId(2u), 2, NodeId(0u), RackId(0u), 1};
  answer(2, TraceTime(seconds(2)), zero + 100ms, {first, second});
  const MasterCall launches = call(zero + 100ms);
  EXPECT_EQ(std::count_if(launches.actions.begin(), launches.actions.end(),
                          [](const MasterAction& action) {
                            return std::holds_alternative<LaunchTask>(action);
                          }),
            2);
  answer(3, TraceTime(seconds(8)), zero + 200ms,
         {AttemptEnd{ContainerId(1u), NodeId(0u), ContainerEnd::succeeded, false},
          AttemptEnd{ContainerId(2u), NodeId(0u), ContainerEnd::succeeded, false}});
  const MasterCall last = call(zero + 200ms);
  EXPECT_EQ(last.kind, MasterCallKind::unregistration);
  EXPECT_FALSE(session_.end());
  answer(4, TraceTime(seconds(8)), zero + 200ms);
  ASSERT_TRUE(session_.end());
  EXPECT_EQ(session_.end()->code, ExitCode::success);
}

TEST_F(Session, EndsWhenTheCoordinatorIsGone) {
  tell(two_maps(), zero);
  call(zero);
  session_.tick(zero + 9'999ms);
  EXPECT_FALSE(session_.end());
  session_.tick(zero + 10s);
  ASSERT_TRUE(session_.end());
  EXPECT_EQ(session_.end()->code, ExitCode::run_failed);
  EXPECT_THAT(session_.end()->reason, HasSubstr("gone"));
}

TEST_F(Session, EndsWhenItIsDismissedOrRefused) {
  tell(wire::Refuse{2, 2, "too large"}, zero);
  ASSERT_TRUE(session_.end());
  EXPECT_EQ(session_.end()->reason, "refused: too large");

  MasterSession other(Identity{"run", 3, 7, ApplicationId(4u), 1}, host_job, zero);
  other.take({{"run", 3, 7, 1}, two_maps()}, zero);
  other.tick(zero);
  MasterAnswer dismissal;
  dismissal.application = ApplicationId(4u);
  dismissal.sequence = 1;
  dismissal.is_dismissal = true;
  other.take({{"run", 3, 7, 2}, dismissal}, zero);
  ASSERT_TRUE(other.end());
  EXPECT_EQ(other.end()->code, ExitCode::success);
}

TEST_F(Session, PassesOverWhatIsNotForIt) {
  session_.take({{"run", 3, 8, 1}, two_maps()}, zero);
  session_.take({{"other", 3, 7, 1}, two_maps()}, zero);
  session_.take({{"run", 2, 7, 1}, two_maps()}, zero);
  session_.take({{"run", 3, 7, 1}, wire::Shutdown{"over"}}, zero);
  EXPECT_EQ(session_.counters().misplaced, 4u);
  EXPECT_TRUE(std::holds_alternative<wire::MasterHello>(*noted(zero))) << "it has no job yet";
}

// What a master with a fault says when two of its tasks run and one is wanted back.
class FaultySession : public Session {
 protected:
  void begin(const std::string& fault) {
    wire::MasterJob told = two_maps();
    told.settings = {{fault, "1"}};
    tell(told, zero);
    call(zero);
    answer(1, TraceTime(seconds(1)), zero);
    call(zero + 100ms);
    answer(2, TraceTime(seconds(2)), zero + 100ms,
           {Grant{ContainerId(1u), 2, NodeId(0u), RackId(0u), 1},
            Grant{ContainerId(2u), 2, NodeId(0u), RackId(0u), 1}});
    call(zero + 100ms);
    MasterAnswer preempting;
    preempting.application = ApplicationId(4u);
    preempting.sequence = 3;
    preempting.now = TraceTime(seconds(2));
    preempting.preemption.strict.emplace().containers = {
        {ContainerId(1u), TraceTime(seconds(60)), false, {}}};
    tell(preempting, zero + 100ms);
  }
};

TEST_F(FaultySession, EndsWithAFailureWhenItDiesOfWhatItOwes) {
  begin("faults.crashes_during_preemption");
  ASSERT_TRUE(session_.end());
  EXPECT_EQ(session_.end()->code, ExitCode::run_failed);
  EXPECT_FALSE(noted(zero + 1s)) << "it says nothing any more";
}

TEST_F(FaultySession, SaysOnceWhatIsNoMessage) {
  begin("faults.garbage_answers");
  EXPECT_FALSE(session_.spoils_messages());
  const MasterCall nonsense = call(zero + 100ms);
  EXPECT_TRUE(session_.spoils_messages());
  EXPECT_FALSE(session_.spoils_messages());
  // What comes whole reaches the judge of calls: nothing of it stops at the decoder.
  wire::Encoder encoder;
  const Result<wire::Message> decoded = wire::decode(encoder.encode({{"run", 3, 7, 9}, nonsense}));
  ASSERT_TRUE(decoded) << decoded.error().message;
  EXPECT_EQ(std::get<MasterCall>(decoded->body), nonsense);
  // Half of it is no message.
  const std::span<const std::byte> bytes = encoder.encode({{"run", 3, 7, 9}, nonsense});
  EXPECT_FALSE(wire::decode(bytes.first(bytes.size() / 2)));
}

TEST_F(FaultySession, SaysTheSameCallTwice) {
  begin("faults.repeated_answers");
  const MasterCall first = call(zero + 100ms);
  EXPECT_EQ(first.actions, (MasterActions{KillTask{ContainerId(1u)}}));
  answer(4, TraceTime(seconds(2)), zero + 200ms);
  EXPECT_EQ(call(zero + 200ms), first);
  answer(4, TraceTime(seconds(2)), zero + 200ms);
  EXPECT_EQ(call(zero + 300ms).sequence, 5u);
}

TEST_F(Session, SettingsThatAreWrongEndIt) {
  wire::MasterJob told = two_maps();
  told.settings = {{"slow_start", "much"}};
  tell(told, zero);
  ASSERT_TRUE(session_.end());
  EXPECT_THAT(session_.end()->reason, HasSubstr("slow_start"));
}

}  // namespace
}  // namespace tracebed::appmaster
