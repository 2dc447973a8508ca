// What `tracebed run`, `compare` and `replay-log` print: the answer first, in few lines.
#include <algorithm>
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "coordinator/cli/program.h"
#include "coordinator/cli/run_end.h"
#include "support/files.h"
#include "support/real_traces.h"

namespace tracebed {
namespace {

using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

constexpr std::size_t lines_max = 45;

std::size_t line_count(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

std::vector<std::string> experiments() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(TRACEBED_EXPERIMENTS)) {
    if (entry.path().extension() == ".toml") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

class Example : public ::testing::TestWithParam<std::string> {};

TEST_P(Example, PrintsTheAnswerFirstAndLittleElse) {
  const std::filesystem::path file =
      std::filesystem::path(TRACEBED_EXPERIMENTS) / (GetParam() + ".toml");
  if (contents(file).find("${TRACEBED_TRACES}") != std::string::npos) {
    if (!std::filesystem::exists(traces_folder())) {
      GTEST_SKIP() << "of a trace that is not in the repository: " << traces_folder();
    }
  }
  const TemporaryFolder folder;
  const std::string output = (folder.path() / "runs").string();
  const ProgramEnd end = tracebed_program(
      {"run", file.string(), "--output", output, "--world", "virtual", "--quick", "--quiet"},
      {"TRACEBED_TRACES=" + traces_folder().string()});
  ASSERT_EQ(end.exit_code, 0) << end.error;
  EXPECT_LE(line_count(end.out), lines_max) << end.out;
  const std::string first = end.out.substr(0, end.out.find('\n'));
  EXPECT_THAT(first, HasSubstr("n the virtual world"));
  EXPECT_THAT(first, HasSubstr(" jobs"));
  EXPECT_THAT(end.out, HasSubstr("report: " + output + "/report.html\n"));
  const ProgramEnd compared = tracebed_program({"compare", output});
  EXPECT_THAT(compared.out, StartsWith(first + "\n"));
  EXPECT_LE(line_count(compared.out), lines_max) << compared.out;
  const ProgramEnd details = tracebed_program({"compare", output, "--details"});
  EXPECT_THAT(details.out, StartsWith(first + "\n"));
  EXPECT_GT(line_count(details.out), line_count(compared.out));
}

INSTANTIATE_TEST_SUITE_P(All, Example, ::testing::ValuesIn(experiments()), [](const auto& tested) {
  std::string name = tested.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST(RunEnd, ListsFewOfTheReplaysThatAreNotComplete) {
  EndedRun run;
  run.output = "runs";
  run.scale.factors = {{"cpu ÷ 2", "CPU time burnt"}};
  run.replays.push_back({"runs/fifo/r1", "complete", 1.5, 4, "d0"});
  for (int i = 2; i < 9; ++i) {
    run.replays.push_back({"runs/fifo/r" + std::to_string(i), "stalled", 1.5, 3, "d1"});
  }
  run.replays[1].reason = "1 job (first: job 3) waits: no machine has room";
  const std::string brief = run_end_text(run, {"The answer.\n", "The details.\n", "{}"}, false);
  EXPECT_EQ(brief,
            "The answer.\n\n"
            "runs/fifo/r2: stalled after 1.5 s, 3 jobs, digest d1\n"
            "  1 job (first: job 3) waits: no machine has room\n"
            "runs/fifo/r3: stalled after 1.5 s, 3 jobs, digest d1\n"
            "runs/fifo/r4: stalled after 1.5 s, 3 jobs, digest d1\n"
            "runs/fifo/r5: stalled after 1.5 s, 3 jobs, digest d1\n"
            "runs/fifo/r6: stalled after 1.5 s, 3 jobs, digest d1\n"
            "2 more are not complete: --details\n"
            "Scaled: cpu ÷ 2.\n"
            "report: runs/report.html\n"
            "all figures: tracebed compare runs --details\n");
  const std::string whole = run_end_text(run, {"The answer.\n", "The details.\n", "{}"}, true);
  EXPECT_THAT(whole, AllOf(StartsWith("The details.\n"), HasSubstr("fifo/r1: complete after"),
                           HasSubstr("fifo/r8: stalled"), HasSubstr("changes CPU time burnt"),
                           EndsWith("\nreport: runs/report.html\n")));
}

TEST(ReplayLog, OfSeveralRunsPrintsTheAnswerAndListsThemOnRequest) {
  const TemporaryFolder folder;
  const std::string file = write_small_experiment(folder).string();
  const std::string output = (folder.path() / "runs").string();
  ASSERT_EQ(tracebed_program({"run", file, "--output", output, "--quick"}).exit_code, 0);
  EXPECT_EQ(tracebed_program({"replay-log", output}).out, "All 2 runs decided the same.\n");
  EXPECT_THAT(
      tracebed_program({"replay-log", output, "--details"}).out,
      AllOf(StartsWith("All 2 runs decided the same.\n"), HasSubstr("binpack: decided the same: "),
            HasSubstr("fcfs: decided the same: ")));
  EXPECT_THAT(tracebed_program({"replay-log", output + "/fcfs"}).out,
              AllOf(StartsWith(output + "/fcfs: decided the same: "), Not(HasSubstr("All "))));
}

}  // namespace
}  // namespace tracebed
