#include "coordinator/recorded/recorded_fleet.h"

#include <gtest/gtest.h>
#include <vector>

#include "protocol/log_file.h"
#include "protocol/random_rounds.h"
#include "support/temporary_folder.h"

namespace tracebed {
namespace {

TEST(RecordedFleet, YieldsTheRecordedRoundsWhateverTheDeadlineAndThenNever) {
  TemporaryFolder folder;
  Names names;
  std::vector<std::string> expected;
  {
    LogFileWriter log(folder.file("rounds.log"), "run", names, LogDurability::buffered);
    test::RandomRounds rounds(11, names);
    Round round;
    for (int i = 0; i < 100; ++i) {
      rounds.fill(round);
      log.append(round);
      expected.push_back(test::describe(round));
    }
    log.finish();
  }
  Names read;
  LogFileReader reader(folder.file("rounds.log"), read);
  RecordedFleet fleet(reader);
  const std::vector<Command> commands = {KillContainer{ContainerId(1u), NodeId(1u)}};
  Round round;
  for (const std::string& text : expected) {
    fleet.wait_until(trace_time(0), round);
    ASSERT_EQ(test::describe(round), text);
    fleet.execute(commands, HeartbeatInterest{});
  }
  fleet.wait_until(never, round);
  EXPECT_EQ(round.now, never);
  EXPECT_TRUE(round.arrivals.empty());
  EXPECT_EQ(fleet.rounds_yielded(), 100u);
  EXPECT_EQ(fleet.commands_seen(), 100u);
}

}  // namespace
}  // namespace tracebed
