// What a run shows to somebody who looks now and then.
#include "coordinator/monitoring/run_sampler.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "coordinator/engine/doubles.h"

namespace tracebed {
namespace {

using namespace doubles;
using testing::HasSubstr;

class RunSamplerTest : public testing::Test {
 protected:
  RunSamplerTest()
      : engine_({.scheduler = std::make_unique<FirstFit>(), .make_master = plain_master}, records_),
        watch_(engine_, names_, ResourceDimensions(), trace_time(0)) {
    names_.users.intern("anna");
    names_.queues.intern("root.q");
  }

  void step(std::int64_t now, std::uint32_t job) {
    Round round;
    round.now = trace_time(now);
    if (job == 0) {
      round.machines.push_back(plain_machine(2));
      round.arrivals.push_back(NodeJoined{NodeId(0u), 0});
    }
    round.add_job() = plain_job(job, round.now, 2, seconds(1));
    round.submit(0);
    engine_.step(round, commands_);
    watch_.after_round(round.now);
  }

  Names names_;
  Records records_;
  Engine engine_;
  RunSampler watch_;
  std::vector<Command> commands_;
};

TEST_F(RunSamplerTest, TellsWhichJobsWaitAndWhy) {
  step(0, 0);          // takes the whole machine
  step(1'500'000, 1);  // waits from here on
  step(3'000'000, 2);  // likewise
  const std::vector<WaitingJob> now = watch_.waiting_now(trace_time(4'000'000));
  ASSERT_EQ(now.size(), 2u);
  EXPECT_EQ(now[0].job, JobId(1u));
  EXPECT_EQ(now[0].user, "anna");
  EXPECT_EQ(now[0].queue, "root.q");
  ASSERT_EQ(now[0].reasons.size(), 1u);
  EXPECT_EQ(now[0].reasons[0].first, "room");
  EXPECT_THAT(now[0].reasons[0].second, HasSubstr("no machine has 1024 MiB and 1 vcores free"));
}

TEST_F(RunSamplerTest, LooksNoOftenerThanEverySecondAndKeepsTheLongest) {
  step(0, 0);
  step(500'000, 1);  // no look: the last was half a second ago
  EXPECT_TRUE(watch_.waiting().longest.empty());
  step(2'000'000, 2);
  step(5'000'000, 3);
  const WaitingJobs waiting = watch_.waiting();
  ASSERT_EQ(waiting.longest.size(), 3u);
  EXPECT_EQ(waiting.longest[0].job, JobId(1u));
  EXPECT_EQ(waiting.longest[0].since, trace_time(500'000));
  EXPECT_EQ(waiting.longest[0].until, trace_time(5'000'000));
  ASSERT_EQ(waiting.by_reason.size(), 1u);
  EXPECT_EQ(waiting.by_reason[0], std::pair(std::string("room"), std::uint64_t{5}));
}

}  // namespace
}  // namespace tracebed
