// A program outside of Tracebed that adds a scheduler to the registry: it can do with its scheduler
// whatever tracebed can do with its own.
#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "coordinator/cli/local_run.h"
#include "coordinator/cli/program.h"
#include "core/exit_codes.h"
#include "report/run_folder.h"
#include "support/files.h"

namespace tracebed {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

ProgramEnd own_scheduler(const std::vector<std::string>& arguments,
                         const std::vector<std::string>& environment = {}) {
  return RunningProgram(program_path("own_scheduler"), arguments, environment).wait();
}

std::vector<std::string> listed(const ProgramEnd& end) {
  std::vector<std::string> names;
  const json all = json::parse(end.out);
  for (const json& entry : all.at("schedulers")) names.push_back(entry.at("name"));
  return names;
}

TEST(OwnScheduler, StandsAmongTheOthersInTheirOrder) {
  std::vector<std::string> expected = listed(tracebed_program({"schedulers", "--json"}));
  EXPECT_THAT(expected, ::testing::Not(::testing::Contains("least_left")));
  expected.emplace_back("least_left");
  std::sort(expected.begin(), expected.end());
  EXPECT_EQ(listed(own_scheduler({"schedulers", "--json"})), expected);
  EXPECT_THAT(own_scheduler({"schedulers"}).out, HasSubstr("    fit = best\n"));
}

TEST(OwnScheduler, IsComparedWithAnotherByTheExamplesExperiment) {
  const TemporaryFolder folder;
  const std::string runs = (folder.path() / "runs").string();
  const ProgramEnd end =
      own_scheduler({"run", TRACEBED_OWN_SCHEDULER "/experiment.toml", "--output", runs});
  ASSERT_EQ(end.exit_code, 0) << end.error;
  EXPECT_THAT(end.out,
              StartsWith("In the virtual world, over 50 jobs, JCT mean against fcfs: least_left"));
  const RunFolder run = RunFolder::load(folder.path() / "runs/least_left/r1");
  EXPECT_EQ(run.description.scheduler_name, "least_left");
  EXPECT_THAT(run.description.scheduler_settings, ElementsAre(std::pair("fit", "best")));
  EXPECT_EQ(run.metrics().succeeded, 50u);
  // Small jobs do not wait behind large ones.
  const RunFolder fcfs = RunFolder::load(folder.path() / "runs/fcfs/r1");
  EXPECT_LT(run.metrics().jct.mean, fcfs.metrics().jct.mean);

  EXPECT_EQ(own_scheduler({"replay-log", runs}).exit_code, 0);
  EXPECT_EQ(own_scheduler({"compare", runs}).exit_code, 0);
  const ProgramEnd stranger = tracebed_program({"replay-log", runs + "/least_left/r1"});
  EXPECT_EQ(stranger.exit_code, to_int(ExitCode::input));
  EXPECT_THAT(stranger.error, HasSubstr("there is no scheduler \"least_left\"; there are binpack"));
}

TEST(OwnScheduler, IsToldWhatIsWrongWithItsSettingsLikeAllOthers) {
  const TemporaryFolder folder;
  std::string text = contents(TRACEBED_OWN_SCHEDULER "/experiment.toml");
  const auto replace = [&](const std::string& what, const std::string& with) {
    text.replace(text.find(what), what.size(), with);
  };
  replace("../..", TRACEBED_OWN_SCHEDULER "/../..");
  replace("\"best\"", "\"worst\"");
  const ProgramEnd end = own_scheduler({"run", folder.write("own.toml", text).string()});
  EXPECT_EQ(end.exit_code, to_int(ExitCode::input));
  EXPECT_THAT(end.error,
              HasSubstr("scheduler least_left, setting fit: expected one of best, first, "
                        "got \"worst\""));
}

TEST(OwnScheduler, ServesRealProcesses) {
  if (::geteuid() != 0) GTEST_SKIP() << "cgroups can be written by root only";
  LocalRun run{"own-scheduler-test-" + std::to_string(::getpid())};
  std::vector<std::string> arguments = run.arguments(6, 10);
  arguments.insert(arguments.end(), {"--scheduler", "least_left"});
  const ProgramEnd end = own_scheduler(arguments, {"TRACEBED_TRACES=" + run.folder().string()});
  ASSERT_EQ(end.exit_code, 0) << end.error;
  const RunFolder folder = RunFolder::load(run.runs() / "least_left");
  EXPECT_EQ(folder.metrics().succeeded, 6u);
  EXPECT_THAT(folder.description.isolation, ::testing::StartsWith("cgroup-v"));
  EXPECT_EQ(own_scheduler({"replay-log", run.runs().string()}).exit_code, 0);
  EXPECT_THAT(run.leftovers(), IsEmpty());
}

}  // namespace
}  // namespace tracebed
