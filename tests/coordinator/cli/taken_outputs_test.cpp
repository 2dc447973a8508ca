// Commands that write into folders at the same moment: each has one of its own, or says who has it.
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <memory>
#include <set>
#include <vector>

#include "coordinator/cli/program.h"
#include "core/exit_codes.h"
#include "system/taken_folder.h"

namespace tracebed {
namespace {

using ::testing::AnyOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

class TakenOutputs : public ::testing::Test {
 protected:
  // `tracebed` with these words, so many times at once, in the test's folder.
  std::vector<ProgramEnd> at_once(std::size_t count, const std::string& words) const {
    const std::string line = fmt::format("cd '{}' && exec '{}' {}", folder_.path().string(),
                                         program_path("tracebed").string(), words);
    std::vector<std::unique_ptr<RunningProgram>> running;
    for (std::size_t i = 0; i < count; ++i) {
      running.push_back(
          std::make_unique<RunningProgram>("/bin/sh", std::vector<std::string>{"-c", line}));
    }
    std::vector<ProgramEnd> ends;
    for (const auto& program : running) ends.push_back(program->wait());
    return ends;
  }
  std::set<std::string> below(const std::string& folder) const {
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path() / folder)) {
      names.insert(entry.path().filename().string());
    }
    return names;
  }

  const TemporaryFolder folder_;
  const std::string file_ = write_small_experiment(folder_).string();
};

TEST_F(TakenOutputs, ThatOneRunHasAreOfNoOther) {
  const std::vector<ProgramEnd> ends = at_once(4, fmt::format("run '{}' --output out", file_));
  int succeeded = 0;
  for (const ProgramEnd& end : ends) {
    if (end.exit_code == to_int(ExitCode::success)) {
      ++succeeded;
      continue;
    }
    EXPECT_EQ(end.exit_code, to_int(ExitCode::environment)) << end.error;
    // By which process, its lock says a moment after it is taken.
    EXPECT_THAT(end.error, AnyOf(HasSubstr("out is in use by "), HasSubstr("already holds a run")));
  }
  EXPECT_EQ(succeeded, 1);
  // The folder proves itself, and nothing is left in it of the others.
  EXPECT_EQ(tracebed_program({"compare", folder_.file("out")}).exit_code, 0);
  EXPECT_THAT(below("out"), Not(Contains("lock")));
}

TEST_F(TakenOutputs, ThatNobodyNamedAreNewForEachRun) {
  constexpr std::size_t count = 4;
  for (const ProgramEnd& end : at_once(count, fmt::format("run '{}' --quick", file_))) {
    EXPECT_EQ(end.exit_code, 0) << end.error;
  }
  const std::set<std::string> made = below("runs");
  EXPECT_EQ(made.size(), count);
  for (const std::string& name : made) {
    EXPECT_EQ(tracebed_program({"compare", folder_.file("runs/" + name)}).exit_code, 0) << name;
  }
}

TEST_F(TakenOutputs, AreNotLeftByWhatIsRefused) {
  for (const char* words : {"", "--output out"}) {
    const std::string line = fmt::format("run '{}' --set cluster.nodes=0 {}", file_, words);
    EXPECT_EQ(at_once(1, line).front().exit_code, to_int(ExitCode::input));
    const std::string later = fmt::format("run '{}' --set 'trace.from=\"9h\"' {}", file_, words);
    EXPECT_EQ(at_once(1, later).front().exit_code, to_int(ExitCode::input));
  }
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "out"));
  EXPECT_TRUE(!std::filesystem::exists(folder_.path() / "runs") || below("runs").empty());
}

TEST_F(TakenOutputs, OfAComparisonAreTakenToo) {
  ASSERT_EQ(at_once(1, fmt::format("run '{}' --quick --output out", file_)).front().exit_code, 0);
  {
    const TakenFolder taken(folder_.path() / "page");
    const ProgramEnd end = at_once(1, "compare out --output page").front();
    EXPECT_EQ(end.exit_code, to_int(ExitCode::environment));
    EXPECT_THAT(end.error, HasSubstr("page is in use by process"));
  }
  EXPECT_EQ(at_once(1, "compare out --output page").front().exit_code, 0);
}

}  // namespace
}  // namespace tracebed
