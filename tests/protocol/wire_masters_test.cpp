// What masters in containers and the coordinator say to each other, at its bounds.
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "protocol/wire_samples.h"

namespace tracebed::wire {
namespace {

using ::testing::HasSubstr;

// What Hadoop's clients are told apart: nothing is wanted back, a contract about nothing, and one
// about something.
TEST(WireMasters, AbsentEmptyAndFilledContractsAreThreeDifferentThings) {
  const auto received = [](const PreemptionMessage& sent) {
    MasterAnswer answer = sample_answer();
    answer.preemption = sent;
    const Result<Message> message = pass(answer);
    EXPECT_TRUE(message) << message.error().message;
    return std::get<MasterAnswer>(message->body).preemption;
  };
  EXPECT_TRUE(received({}).is_empty());
  const PreemptionMessage strict{.strict = StrictContract{}, .negotiable = {}};
  EXPECT_EQ(received(strict), strict);
  EXPECT_FALSE(received(strict).is_empty());
  const PreemptionMessage negotiable{.strict = {}, .negotiable = NegotiableContract{}};
  EXPECT_EQ(received(negotiable), negotiable);
  PreemptionMessage filled = sample_preemption();
  EXPECT_EQ(received(filled), filled);
  filled.negotiable->requests.clear();
  EXPECT_EQ(received(filled), filled);
}

TEST(WireMasters, AContractOutOfItsBoundsIsRefusedByName) {
  struct Case {
    const char* field;
    std::function<void(PreemptionMessage&)> spoil;
  };
  const std::vector<Case> cases = {
      {"container", [](auto& m) { m.strict->containers[1].container = ContainerId(); }},
      {"strict.containers", [](auto& m) { m.strict->containers[1].container = ContainerId(3u); }},
      {"strict.containers", [](auto& m) { m.strict->containers[1].container = ContainerId(2u); }},
      {"preemption.deadline", [](auto& m) { m.strict->containers[0].deadline = trace_time(-1); }},
      {"preemption.deadline",
       [](auto& m) { m.strict->containers[0].deadline = never - Duration(1); }},
      {"preemption.count", [](auto& m) { m.negotiable->requests[0].count = 0; }},
      {"preemption.capability", [](auto& m) { m.negotiable->requests[0].capability[0] = -1; }},
  };
  for (const Case& c : cases) {
    MasterAnswer answer = sample_answer();
    c.spoil(answer.preemption);
    const Result<Message> received = pass(answer);
    ASSERT_FALSE(received) << c.field;
    EXPECT_THAT(received.error().message, HasSubstr(c.field));
  }
}

TEST(WireMasters, AKeyOfAnotherLengthIsRefused) {
  LaunchMaster launch{ContainerId(5u), ApplicationId(2u), 1, Resources(1000, 1536), 77, {}};
  const std::string good(key_bytes, 'k');
  EXPECT_FALSE(std::get<LaunchMaster>(pass(launch)->body).keys) << "none were sent";
  for (const std::string& bad : {std::string(), good + "k", good.substr(1)}) {
    for (const MasterKeys& keys :
         {MasterKeys{bad, good, good}, MasterKeys{good, bad, good}, MasterKeys{good, good, bad}}) {
      launch.keys = keys;
      const Result<Message> received = pass(launch);
      ASSERT_FALSE(received);
      EXPECT_THAT(received.error().message, HasSubstr("keys"));
    }
  }
}

TEST(WireMasters, TheLargestContractsFitIntoAnAnswerFullOfNews) {
  MasterAnswer answer = sample_answer();
  answer.news.assign(answer_news_max, Grant{ContainerId(9u), 4, NodeId(1u), RackId(5u), 2, {}});
  NegotiableContract& contract = *answer.preemption.negotiable;
  contract.requests.assign(preemption_containers_max, contract.requests[0]);
  contract.containers.clear();
  for (std::size_t id = answer.preemption.strict->containers.size(); id < preemption_containers_max;
       ++id) {
    contract.containers.push_back({ContainerId(id), never, true, NodeId(1u)});
  }
  const Result<Message> received = pass(answer);
  ASSERT_TRUE(received) << received.error().message;
  EXPECT_EQ(std::get<MasterAnswer>(received->body), answer);
}

TEST(WireMasters, AMastersJobOfManyThousandTasksFitsAndOneThatDoesNotIsKnown) {
  MasterJob message = sample_master_job();
  message.job.stages[0].runs.assign(task_runs_max - 1, {1, Work{.duration = seconds(1)}});
  ASSERT_TRUE(can_encode(message));
  const Result<Message> received = pass(message);
  ASSERT_TRUE(received) << received.error().message;
  EXPECT_EQ(std::get<MasterJob>(received->body), message);
  message.job.stages[0].runs.push_back({1, Work{}});
  EXPECT_FALSE(can_encode(message));
}

TEST(WireMasters, WhatAMasterMayNotSayIsNotTaken) {
  const auto refused = [](const std::function<void(MasterCall&)>& spoil) {
    MasterCall call = sample_call();
    call.actions.clear();
    spoil(call);
    return !pass(call);
  };
  EXPECT_FALSE(refused([](MasterCall&) {}));
  EXPECT_TRUE(refused([](MasterCall& call) { call.attempt = 0; }));
  EXPECT_TRUE(refused([](MasterCall& call) { call.sequence = 0; }));
  EXPECT_TRUE(refused([](MasterCall& call) { call.application = ApplicationId(); }));
  EXPECT_TRUE(refused([](MasterCall& call) { call.kind = static_cast<MasterCallKind>(3); }));
  EXPECT_TRUE(refused([](MasterCall& call) {
    SetAsk ask;
    ask.demand = Resources(-1, 5);
    call.actions = {ask};
  }));
  EXPECT_TRUE(refused([](MasterCall& call) {
    LaunchTask launch;
    launch.work.duration = Duration(-1);
    call.actions = {launch};
  }));
  EXPECT_TRUE(refused([](MasterCall& call) {
    call.actions = {FinishApplication{JobOutcome::failed, std::string(text_bytes_max + 1, 'x')}};
  }));
}

}  // namespace
}  // namespace tracebed::wire
