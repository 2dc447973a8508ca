#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include "coordinator/cli/program.h"
#include "coordinator/cli/progress_line.h"

namespace tracebed {
namespace {

using ::testing::HasSubstr;

RunProgress halfway() {
  RunProgress progress;
  progress.scheduler = "spread";
  progress.replay = 2;
  progress.replays = 4;
  progress.done = (1 + 0.25) / 4;
  progress.jobs = 200;
  progress.jobs_submitted = 150;
  progress.jobs_ended = 50;
  progress.containers = 7;
  progress.now = TraceTime(seconds(3 * 3600 + 62));
  return progress;
}

TEST(ProgressText, SaysHowFarAndHowLongStill) {
  // One and a quarter of four took 300 s, so all take 960 s: 660 s are left.
  EXPECT_EQ(progress_text(halfway(), std::chrono::seconds(300)),
            "[2/4] spread: 50/200 jobs, 7 running, trace 3:01:02, about 11:00 left");
}

TEST(ProgressText, NamesTheRepetitionWhereThereAreSeveralAndWhatIsNoise) {
  RunProgress progress = halfway();
  progress.repetition = 2;
  progress.repetitions = 10;
  EXPECT_EQ(replay_name(progress), "spread, repetition 2 of 10");
  progress.is_noise = true;
  EXPECT_EQ(replay_name(progress), "spread, noise 2 of 10");
  progress.repetition = 1;
  progress.repetitions = 1;
  EXPECT_EQ(replay_name(progress), "spread, noise 1 of 1");
}

TEST(ProgressText, GuessesNothingBeforeTheFirstJobAndAfterTheLast) {
  RunProgress progress = halfway();
  progress.jobs_ended = 0;
  progress.done = 0;
  progress.now = TraceTime(seconds(9));
  EXPECT_EQ(progress_text(progress, std::chrono::seconds(60)),
            "[2/4] spread: 0/200 jobs, 7 running, trace 0:09");
  progress.replay = 4;
  progress.jobs_ended = 200;
  progress.done = 1;
  EXPECT_EQ(progress_text(progress, std::chrono::seconds(60)),
            "[4/4] spread: 200/200 jobs, 7 running, trace 0:09");
}

// On a terminal the line is drawn over and taken away at the end, so that it is not left among the
// results.
TEST(ProgressLine, IsDrawnOverOnATerminal) {
  const TemporaryFolder folder;
  const std::string file = write_small_experiment(folder).string();
  const std::string output = (folder.path() / "runs").string();
  const std::string program = program_path("tracebed").string();
  int terminal = -1;
  const pid_t child = ::forkpty(&terminal, nullptr, nullptr, nullptr);
  if (child == 0) {
    ::execl(program.c_str(), "tracebed", "run", file.c_str(), "--output", output.c_str(), nullptr);
    ::_exit(127);
  }
  ASSERT_GT(child, 0);
  std::string shown;
  char buffer[4096];
  for (ssize_t n = 0; (n = ::read(terminal, buffer, sizeof(buffer))) > 0;) {
    shown.append(buffer, static_cast<std::size_t>(n));
  }
  ::close(terminal);
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_THAT(shown, HasSubstr("\r\x1b[K[1/2] fcfs: 4/4 jobs, 0 running, trace 0:45"));
  EXPECT_THAT(shown, HasSubstr("\r\x1b[K[2/2] binpack: 4/4 jobs"));
  const std::size_t last_line = shown.rfind("[2/2]");
  EXPECT_NE(shown.find("\r\x1b[K", last_line), std::string::npos);
}

TEST(ProgressLine, IsSilentWhenAskedTo) {
  const TemporaryFolder folder;
  const ProgramEnd end =
      tracebed_program({"run", write_small_experiment(folder).string(), "--quiet", "--output",
                        (folder.path() / "runs").string()});
  EXPECT_EQ(end.exit_code, 0);
  EXPECT_EQ(end.error, "");
}

}  // namespace
}  // namespace tracebed
