#include "coordinator/runner/repetitions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>

#include "core/random.h"
#include "support/schedulers.h"

namespace tracebed {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(RepetitionSeed, IsTheExperimentsFirstAndThenAStreamOfItByNumber) {
  EXPECT_EQ(repetition_seed(42, 1), 42u);
  EXPECT_EQ(repetition_seed(42, 2), Random::stream(42, "repetition 2").next());
  EXPECT_EQ(noise_seed(42, 1), Random::stream(42, "noise 1").next());
  std::set<std::uint64_t> seeds;
  for (std::uint32_t repetition = 1; repetition <= 1000; ++repetition) {
    seeds.insert(repetition_seed(1, repetition));
    seeds.insert(noise_seed(1, repetition));
  }
  EXPECT_EQ(seeds.size(), 2000u);
}

class WhatVaries : public ::testing::Test {
 protected:
  std::vector<std::string> under(const char* scheduler) const {
    return what_varies(experiment_, *test::schedulers().find(scheduler), facts_);
  }
  ResolvedExperiment experiment_;
  WorkloadFacts facts_;
};

TEST_F(WhatVaries, AreTheModelledMachinesAndWhatAPolicyDraws) {
  EXPECT_THAT(under("fifo"), ElementsAre("heartbeat phases", "launch latencies"));
  EXPECT_THAT(under("random"),
              ElementsAre("heartbeat phases", "launch latencies", "random placement"));
  experiment_.simulated.launch_spread = 1;
  EXPECT_THAT(under("fifo"), ElementsAre("heartbeat phases"));
}

TEST_F(WhatVaries, AreTheStartUpsOfMastersInContainers) {
  experiment_.simulated.master_startup = seconds(6);
  experiment_.simulated.master_startup_spread = 1.5;
  EXPECT_THAT(under("fifo"), ElementsAre("heartbeat phases", "launch latencies"));
  experiment_.masters.containers.emplace();
  EXPECT_THAT(under("fifo"),
              ElementsAre("heartbeat phases", "launch latencies", "start-ups of masters"));
  experiment_.simulated.master_startup_spread = 1;
  EXPECT_THAT(under("fifo"), ElementsAre("heartbeat phases", "launch latencies"));
}

TEST_F(WhatVaries, IsNothingOnIdealMachinesUnlessAPolicyDraws) {
  experiment_.simulated.ideal = true;
  EXPECT_THAT(under("fifo"), IsEmpty());
  EXPECT_THAT(under("random"), ElementsAre("random placement"));
}

TEST_F(WhatVaries, AreTheBlocksOfInputThatTheTraceDoesNotPlace) {
  experiment_.simulated.ideal = true;
  facts_.has_unplaced_input = true;
  EXPECT_THAT(under("fifo"), ElementsAre("places of input blocks"));
  experiment_.masters.options.replication = 0;
  EXPECT_THAT(under("fifo"), IsEmpty());
}

TEST_F(WhatVaries, IsTheShakenTraceAndWhoMisbehaves) {
  experiment_.simulated.ideal = true;
  experiment_.faults.exceeded_memory = 0.1;
  experiment_.vary.submit_times = 0.05;
  experiment_.vary.run_times = 0.1;
  EXPECT_THAT(under("fifo"), ElementsAre("which attempts are faulty",
                                         "input shaking of up to 5 % of gaps between submissions",
                                         "input shaking of up to 10 % of run times"));
}

TEST_F(WhatVaries, IsTheMachinesOwnTimingInTheRealWorld) {
  experiment_.world = World::local;
  EXPECT_THAT(under("fifo"), ElementsAre("the machines' own timing"));
}

}  // namespace
}  // namespace tracebed
