// What a run leaves behind whose invariant fails, in the worlds that one program can run.
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "coordinator/cli/local_run.h"
#include "coordinator/config/load_experiment.h"
#include "coordinator/recorded/replay_log.h"
#include "coordinator/runner/experiment_run.h"
#include "core/check.h"
#include "core/exit_codes.h"
#include "report/run_folder.h"
#include "support/schedulers.h"

namespace tracebed {
namespace {

using ::testing::HasSubstr;

// Breaks an invariant between two rounds, once jobs have ended.
class Breaker final : public RunObserver {
 public:
  explicit Breaker(std::uint64_t jobs) : jobs_(jobs) {}
  bool should_continue() override {
    TRACEBED_CHECK(ended_ < jobs_, "the test has not had enough");
    return true;
  }
  void progressed(const RunProgress& progress) override { ended_ = progress.jobs_ended; }
  void warned(const std::string&) override {}

 private:
  std::uint64_t jobs_;
  std::uint64_t ended_ = 0;
};

class FailedInvariant : public ::testing::TestWithParam<const char*> {};

TEST_P(FailedInvariant, LeavesAFolderThatSaysSo) {
  LocalRun files(std::string("tb-invariant-") + GetParam());
  const std::vector<std::string> arguments = files.arguments(60, 20);
  const auto override_of = [](std::string key, std::string value) {
    return Override{"--set " + key, std::move(key), std::move(value)};
  };
  const auto break_off = [&] {
    const std::vector<Override> overrides{
        override_of("world", std::string("\"") + GetParam() + "\""),
        override_of("repetitions", "1")};
    Experiment experiment = load_experiment(files.experiment(), files.folder(), overrides);
    experiment.output = files.runs();
    std::filesystem::create_directories(files.runs());
    Breaker breaker(4);
    run_experiment(experiment, this_host(test::schedulers(), "local.toml"), breaker);
  };
  const std::filesystem::path run = files.runs() / "fifo";
  EXPECT_EXIT(break_off(), ::testing::ExitedWithCode(to_int(ExitCode::failed_invariant)),
              "the test has not had enough(.|\n)* has the run up to that point");

  std::ifstream file(files.runs() / "experiment.json");
  const nlohmann::json experiment = nlohmann::json::parse(file);
  ASSERT_EQ(experiment.at("replays").size(), 1u);
  EXPECT_EQ(experiment.at("replays")[0].at("outcome"), "failed");
  EXPECT_THAT(experiment.at("replays")[0].at("reason"), HasSubstr("the test has not had enough"));
  const RunFolder folder = RunFolder::load(run);
  EXPECT_EQ(folder.end.outcome, RunOutcome::failed);
  EXPECT_THAT(folder.end.reason, HasSubstr("invariant failed: the test has not had enough"));
  EXPECT_THAT(folder.end.reason, HasSubstr("failed_invariant_test.cpp"));
  EXPECT_GE(folder.jobs.size(), 4u);
  // The log has every round until then.
  const LogReplay replay = replay_log(run, test::schedulers());
  EXPECT_GE(replay.jobs_ended, 4u);
  EXPECT_EQ(replay.digest, folder.end.digest);
}

INSTANTIATE_TEST_SUITE_P(Worlds, FailedInvariant, ::testing::Values("virtual", "local"),
                         [](const auto& parameter) { return std::string(parameter.param); });

}  // namespace
}  // namespace tracebed
