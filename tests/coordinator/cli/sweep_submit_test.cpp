// tracebed-sweep-submit: the commands for Slurm and for GNU parallel.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "coordinator/cli/program.h"
#include "core/exit_codes.h"

namespace tracebed {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class SweepSubmit : public ::testing::Test {
 protected:
  SweepSubmit() {
    file_ = write_small_experiment(folder_, "[sweep]\nseed = { from = 1, to = 25, step = 1 }\n")
                .string();
  }
  ProgramEnd submit(const std::vector<std::string>& arguments) const {
    const std::string programs = program_path("tracebed").parent_path().string();
    std::vector<std::string> words{"PATH=" + programs + ":/usr/bin:/bin", TRACEBED_SUBMIT};
    words.insert(words.end(), arguments.begin(), arguments.end());
    return RunningProgram("/usr/bin/env", words).wait();
  }

  TemporaryFolder folder_;
  std::string file_;
};

TEST_F(SweepSubmit, MakesAJobArrayOfSeveralPointsToATask) {
  const ProgramEnd end = submit({"--dry-run", "slurm", file_, folder_.file("o ut"), "--time=10"});
  ASSERT_EQ(end.exit_code, 0) << end.error;
  EXPECT_THAT(end.out, AllOf(StartsWith("sbatch --parsable"), HasSubstr("--array=1-3"),
                             HasSubstr("--time=10"), HasSubstr("SLURM_ARRAY_TASK_ID/3"),
                             HasSubstr("--dependency=afterany:JOB")));
  EXPECT_THAT(submit({"--dry-run", "--points", "25", "slurm", file_, "x"}).out,
              HasSubstr("--array=1-1"));
  EXPECT_FALSE(std::filesystem::exists(folder_.file("o ut")));
}

TEST_F(SweepSubmit, RunsShardsOverSshWithParallel) {
  const ProgramEnd end =
      submit({"--dry-run", "--points", "5", "parallel", "a,b", file_, folder_.file("out")});
  ASSERT_EQ(end.exit_code, 0) << end.error;
  EXPECT_THAT(end.out,
              AllOf(StartsWith("parallel --sshlogin a\\,b --jobs 1"),
                    HasSubstr("1/5 2/5 3/5 4/5 5/5"), HasSubstr("tracebed sweep collect ")));
}

TEST_F(SweepSubmit, SaysWhatIsWrongBeforeItAsksForAMachine) {
  EXPECT_EQ(submit({}).exit_code, 2);
  EXPECT_THAT(submit({"slurm", file_}).error, HasSubstr("tracebed-sweep-submit [OPTION...] slurm"));
  EXPECT_EQ(submit({"--points", "0", "slurm", file_, "x"}).exit_code, 2);
  EXPECT_EQ(submit({"--points"}).exit_code, 2);
  EXPECT_EQ(submit({"torque", file_, "x"}).exit_code, 2);
  const ProgramEnd limit = submit({"--dry-run", "--limit", "24", "slurm", file_, "x"});
  EXPECT_EQ(limit.exit_code, to_int(ExitCode::input));
  EXPECT_THAT(limit.error, HasSubstr("expected at most 24 points"));
  EXPECT_EQ(limit.out, "");
}

TEST_F(SweepSubmit, LeavesASweepThatIsCollected) {
  if (!std::filesystem::exists("/usr/bin/parallel")) GTEST_SKIP() << "needs GNU parallel";
  const std::string output = folder_.file("o ut");
  const ProgramEnd end = submit({"parallel", ":", file_, output, "--jobs", "2"});
  EXPECT_EQ(end.exit_code, 0) << end.error;
  EXPECT_THAT(end.out, HasSubstr("small: 25 of 25 points have finished"));
}

}  // namespace
}  // namespace tracebed
