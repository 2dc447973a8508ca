// `tracebed run` killed at any moment leaves a folder of which every part can be checked or says
// that it is unfinished.
#include <csignal>
#include <cstdlib>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "coordinator/cli/program.h"
#include "coordinator/recorded/replay_log.h"
#include "core/exit_codes.h"
#include "core/random.h"
#include "core/task_rows.h"
#include "report/run_json.h"
#include "support/schedulers.h"

namespace tracebed {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::uint64_t number_from(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

class KilledRun : public ::testing::Test {
 protected:
  KilledRun() {
    std::string rows;
    for (int i = 1; i <= 4'000; ++i) {
      rows += std::to_string(i) + " " + std::to_string(i) +
              " -1 3 1 -1 -1 1 20 -1 1 1 1 1 1 -1 -1 -1\n";
    }
    folder_.write("jobs.swf", rows);
  }
  void write_experiment(TaskRows task_rows) {
    file_ = folder_.write("killed.toml",
                          "name = \"killed\"\nworld = \"virtual\"\nrepetitions = 2\n"
                          "schedulers = [\"fcfs\", \"fifo\"]\n[output]\ntasks = \"" +
                              std::string(task_rows_names[static_cast<std::size_t>(task_rows)]) +
                              "\"\n[trace]\nfile = \"jobs.swf\"\n"
                              "[cluster]\nnodes = 2\nvcores = 2\nmemory = \"2 GiB\"\n");
  }

  // What the program has made when it is killed: a file, and how long it is at least.
  struct Moment {
    std::string file;
    std::uintmax_t bytes = 0;
    TaskRows task_rows = TaskRows::csv;
  };
  static Moment moment_of(std::uint64_t seed) {
    Random random = Random::stream(seed, "moment of a kill");
    const std::vector<std::string> runs{"fcfs/r1/", "fifo/r1/", "fcfs/r2/", "fifo/r2/"};
    const std::string run = runs[random.below(runs.size())];
    const std::uintmax_t bytes = random.below(200'000);
    const std::vector<Moment> moments{
        {"experiment.json", 0},
        {run + "rounds.log", 0},
        {run + "run.json", 0},
        {run + "jobs.csv", bytes},
        {run + "tasks.csv", bytes},
        {run + "rounds.log", bytes},
        {run + "samples.csv", 0},
        {run + "run.json.new", 0},
        {"report.html", 0},
        {"comparison.json", 0},
        {run + "jobs.csv", bytes, TaskRows::none},
        {run + "tasks.csv.zst", bytes / 10, TaskRows::zstd},
        {run + "jobs.csv", bytes, TaskRows::zstd},
    };
    return moments[random.below(moments.size())];
  }
  // Whether it was killed before it had ended by itself.
  bool kill_at(const Moment& moment) {
    write_experiment(moment.task_rows);
    const std::filesystem::path file = output() / moment.file;
    RunningProgram program(program_path("tracebed"),
                           {"run", file_.string(), "--output", output().string()});
    program.wait_until_or_end([&] {
      std::error_code error;
      const std::uintmax_t bytes = std::filesystem::file_size(file, error);
      return !error && bytes >= moment.bytes;
    });
    program.signal(SIGKILL);
    const ProgramEnd end = program.wait();
    const bool was_killed = end.exit_code == 128 + SIGKILL;
    EXPECT_TRUE(was_killed || end.exit_code == 0) << end.exit_code << ": " << end.error;
    return was_killed;
  }

  // Checked whole, or refused as unfinished.
  static void expect_truth_of_run(const std::filesystem::path& run) {
    const ProgramEnd compared = tracebed_program({"compare", run.string()});
    if (!std::filesystem::exists(run / run_json_file)) {
      EXPECT_EQ(compared.exit_code, to_int(ExitCode::input));
      EXPECT_THAT(compared.error, HasSubstr("expected a run folder (with run.json)"));
      return;
    }
    const bool has_ended = read_run_json(run / run_json_file).end.has_value();
    const LogReplay replay = replay_log(run, test::schedulers());
    EXPECT_THAT(replay.row_differences, IsEmpty());
    if (has_ended) {
      EXPECT_EQ(compared.exit_code, 0) << compared.error;
      EXPECT_TRUE(replay.agrees());
    } else {
      EXPECT_EQ(compared.exit_code, to_int(ExitCode::input));
      EXPECT_THAT(compared.error,
                  HasSubstr("its program was killed before the folder was complete"));
      EXPECT_FALSE(replay.agrees());
    }
  }
  void expect_truth_of_experiment() const {
    const ProgramEnd compared = tracebed_program({"compare", output().string()});
    if (compared.exit_code == 0) return;
    EXPECT_EQ(compared.exit_code, to_int(ExitCode::input));
    EXPECT_THAT(compared.error,
                AnyOf(HasSubstr("its program was killed before the folder was complete"),
                      HasSubstr("the program was killed before writing it"),
                      HasSubstr("(with experiment.json)")));
  }

  std::filesystem::path output() const { return folder_.path() / "runs"; }

  TemporaryFolder folder_;
  std::filesystem::path file_;
};

// To see one again: TRACEBED_KILL_SEED=<its seed> TRACEBED_KILLS=1, then this test.
TEST_F(KilledRun, LeavesWhatCanBeCheckedOrSaysThatItIsUnfinished) {
  const std::uint64_t first = number_from("TRACEBED_KILL_SEED", 1);
  const std::uint64_t kills = number_from("TRACEBED_KILLS", 20);
  std::uint64_t killed = 0;
  for (std::uint64_t seed = first; seed < first + kills && !HasFailure(); ++seed) {
    const Moment moment = moment_of(seed);
    SCOPED_TRACE("TRACEBED_KILL_SEED=" + std::to_string(seed) + ": when " + moment.file + " had " +
                 std::to_string(moment.bytes) + " bytes");
    if (kill_at(moment)) ++killed;
    expect_truth_of_experiment();
    for (const char* run : {"fcfs/r1", "fcfs/r2", "fifo/r1", "fifo/r2"}) {
      expect_truth_of_run(output() / run);
    }
    std::filesystem::remove_all(output());
  }
  // One that ends between the look and the signal was not.
  EXPECT_GT(killed, 0u);
}

}  // namespace
}  // namespace tracebed
