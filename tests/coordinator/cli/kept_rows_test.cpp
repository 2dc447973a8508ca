// What a run keeps of its attempts: as CSV, compressed, or nothing. Whatever it is, reports are the
// same, and the log gives the rows that the run would have written.
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "coordinator/cli/program.h"
#include "core/exit_codes.h"
#include "report/changed_folder.h"
#include "report/run_folder.h"
#include "support/files.h"

namespace tracebed {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class KeptRows : public ::testing::Test {
 protected:
  KeptRows() : file_(write_small_experiment(folder_)) {}

  ProgramEnd run(const std::string& tasks, const std::vector<std::string>& more = {}) const {
    std::vector<std::string> words{"run",
                                   file_.string(),
                                   "--scheduler",
                                   "spread",
                                   "--quiet",
                                   "--set",
                                   "output.tasks=" + tasks,
                                   "--output",
                                   of(tasks).parent_path().string()};
    words.insert(words.end(), more.begin(), more.end());
    return tracebed_program(words);
  }
  std::filesystem::path of(const std::string& tasks) const {
    return folder_.path() / tasks / "spread";
  }
  static ProgramEnd exported(const std::filesystem::path& run,
                             const std::vector<std::string>& more = {}) {
    std::vector<std::string> words{"export", run.string()};
    words.insert(words.end(), more.begin(), more.end());
    return tracebed_program(words);
  }

  TemporaryFolder folder_;
  std::filesystem::path file_;
};

TEST_F(KeptRows, AreTheSameHoweverTheyAreKeptAndWhenTheyAreExported) {
  for (const char* tasks : {"csv", "zstd", "none"}) {
    const ProgramEnd end = run(tasks);
    ASSERT_EQ(end.exit_code, 0) << end.error;
    const bool is_told = end.out.find("rows of tasks: tracebed export ") != std::string::npos;
    EXPECT_EQ(is_told, std::string(tasks) == "none");
    const ProgramEnd again = tracebed_program({"replay-log", of(tasks).string()});
    EXPECT_EQ(again.exit_code, 0) << again.out << again.error;
    EXPECT_THAT(again.out, HasSubstr("decided the same"));
    EXPECT_EQ(again.out.find("were not kept") != std::string::npos, std::string(tasks) == "none");
    const ProgramEnd compared = tracebed_program({"compare", of(tasks).string()});
    EXPECT_EQ(compared.exit_code, 0) << compared.error;
  }
  const std::string rows = contents(of("csv") / "tasks.csv");
  EXPECT_EQ(contents(of("csv") / "jobs.csv"), contents(of("none") / "jobs.csv"));
  EXPECT_FALSE(std::filesystem::exists(of("zstd") / "tasks.csv"));
  EXPECT_FALSE(std::filesystem::exists(of("none") / "tasks.csv"));
  for (const char* tasks : {"zstd", "none"}) {
    const ProgramEnd end = exported(of(tasks));
    ASSERT_EQ(end.exit_code, 0) << end.error;
    EXPECT_THAT(end.out, HasSubstr(tasks + std::string("/spread/tasks.csv: ")));
    EXPECT_EQ(contents(of(tasks) / "tasks.csv"), rows);
    EXPECT_EQ(tracebed_program({"replay-log", of(tasks).string()}).exit_code, 0)
        << "the record does not list what was exported";
  }
  const std::string file = folder_.file("rows.csv.zst");
  ASSERT_EQ(exported(of("none"), {"--output", file}).exit_code, 0);
  EXPECT_EQ(contents(file), contents(of("zstd") / "tasks.csv.zst"));
}

TEST_F(KeptRows, AreNotExportedOverAFileNorOfALogThatDecidesOtherwise) {
  ASSERT_EQ(run("none").exit_code, 0);
  const std::string file = folder_.write("taken.csv", "mine").string();
  const ProgramEnd taken = exported(of("none"), {"--output", file});
  EXPECT_EQ(taken.exit_code, to_int(ExitCode::environment));
  EXPECT_THAT(taken.error, HasSubstr("taken.csv exists already"));
  EXPECT_EQ(contents(file), "mine");

  const std::filesystem::path jobs = of("none") / "jobs.csv";
  std::string text = contents(jobs);
  text.insert(text.rfind("succeeded"), "un");
  write_file(jobs, text);
  list_anew(of("none"));
  const ProgramEnd other = exported(of("none"));
  EXPECT_EQ(other.exit_code, to_int(ExitCode::input));
  EXPECT_THAT(other.error, AllOf(HasSubstr("the log does not decide what the run recorded"),
                                 HasSubstr("so no rows are written")));
  for (const auto& entry : std::filesystem::directory_iterator(of("none"))) {
    EXPECT_THAT(entry.path().filename().string(), Not(HasSubstr("tasks")));
  }
}

TEST_F(KeptRows, ThatAreDamagedAreFoundByTheChecksumAndByTheLog) {
  ASSERT_EQ(run("zstd").exit_code, 0);
  const std::filesystem::path rows = of("zstd") / "tasks.csv.zst";
  const std::string whole = contents(rows);
  write_file(rows, whole.substr(0, whole.size() / 2));
  const ProgramEnd unlisted = tracebed_program({"replay-log", of("zstd").string()});
  EXPECT_EQ(unlisted.exit_code, to_int(ExitCode::input));
  EXPECT_THAT(unlisted.error, HasSubstr("tasks.csv.zst: expected "));
  list_anew(of("zstd"));
  const ProgramEnd listed = tracebed_program({"replay-log", of("zstd").string()});
  EXPECT_EQ(listed.exit_code, to_int(ExitCode::input));
  EXPECT_THAT(listed.error, HasSubstr("tasks.csv.zst: the zstd data "));
}

TEST_F(KeptRows, AreMissedWhereThereIsNoLogEither) {
  const ProgramEnd end = run("none", {"--set", "log.keep=false"});
  EXPECT_EQ(end.exit_code, 0);
  EXPECT_THAT(end.error, HasSubstr("neither the rows of tasks nor the log are kept"));
  EXPECT_THAT(end.out, Not(HasSubstr("tracebed export")));
  const ProgramEnd exporting = exported(of("none"));
  EXPECT_EQ(exporting.exit_code, to_int(ExitCode::input));
  EXPECT_THAT(exporting.error, HasSubstr("rounds.log: no log"));
}

TEST_F(KeptRows, AreChosenByWordsThatExist) {
  const ProgramEnd end = run("gzip");
  EXPECT_EQ(end.exit_code, to_int(ExitCode::input));
  EXPECT_THAT(end.error,
              HasSubstr("output.tasks: expected \"auto\", \"csv\", \"zstd\" or \"none\""));
  const ProgramEnd text = run("csv", {"--set", "output=there"});
  EXPECT_EQ(text.exit_code, to_int(ExitCode::input));
  EXPECT_THAT(text.error, HasSubstr("output: this is a table now"));
}

}  // namespace
}  // namespace tracebed
