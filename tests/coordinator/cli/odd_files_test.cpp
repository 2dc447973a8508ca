// Files and surroundings that are not as they should be: nothing hangs, nothing is ended by a
// signal, and what is said is in words for people.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "coordinator/cli/program.h"
#include "core/exit_codes.h"

namespace tracebed {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

// `tracebed` with these words, which must end by itself.
ProgramEnd ending_program(const std::vector<std::string>& words,
                          const std::vector<std::string>& environment = {}) {
  RunningProgram program(program_path("tracebed"), words, environment);
  program.wait_until_or_end([] { return false; });
  program.signal(SIGKILL);  // none, if it has ended
  return program.wait();
}

auto has_no_marks() {
  return AllOf(Not(HasSubstr("filesystem error")), Not(HasSubstr("json.exception")),
               Not(HasSubstr("terminate called")));
}

class OddFiles : public ::testing::Test {
 protected:
  // The output of a run under one scheduler, whose folder is returned.
  std::filesystem::path run() const {
    const std::filesystem::path file = write_small_experiment(folder_);
    const ProgramEnd end = tracebed_program(
        {"run", file.string(), "--scheduler", "fcfs", "--quiet", "--output", folder_.file("out")});
    EXPECT_EQ(end.exit_code, 0) << end.error;
    return folder_.path() / "out" / "fcfs";
  }
  TemporaryFolder folder_;
};

TEST_F(OddFiles, AFifoInARunKeepsNobodyWaiting) {
  const std::filesystem::path run_folder = run();
  std::vector<std::filesystem::path> files = {run_folder.parent_path() / "experiment.json"};
  for (const auto& entry : std::filesystem::directory_iterator(run_folder)) {
    if (entry.is_regular_file()) files.push_back(entry.path());
  }
  EXPECT_GE(files.size(), 5u);
  for (const std::filesystem::path& file : files) {
    const std::filesystem::path kept = folder_.path() / "kept";
    std::filesystem::rename(file, kept);
    ASSERT_EQ(mkfifo(file.c_str(), 0600), 0);
    for (const char* const command : {"compare", "replay-log"}) {
      for (const std::filesystem::path& folder : {run_folder, run_folder.parent_path()}) {
        const ProgramEnd end = ending_program({command, folder.string()});
        EXPECT_LT(end.exit_code, 128) << command << " " << file;
        EXPECT_THAT(end.error, has_no_marks()) << command << " " << file;
        const bool is_needed = file.filename() == "run.json";
        if (is_needed) {
          EXPECT_EQ(end.exit_code, to_int(ExitCode::input)) << command << end.out;
        }
      }
    }
    std::filesystem::remove(file);
    std::filesystem::rename(kept, file);
  }
}

TEST_F(OddFiles, AFifoIsNoConfiguration) {
  const std::string fifo = folder_.file("fifo");
  ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
  const std::filesystem::path experiment = write_small_experiment(
      folder_, fmt::format("[[scheduler]]\nname = \"fair\"\nconfig = \"{}\"\n", fifo));
  const std::vector<std::vector<std::string>> commands = {
      {"run", fifo},      {"run", experiment.string()},
      {"scenario", fifo}, {"schedulers", "explain", fifo},
      {"submit", fifo},   {"run", "--on", "cluster", fifo}};
  for (const std::vector<std::string>& command : commands) {
    const ProgramEnd end = ending_program(command);
    EXPECT_EQ(end.exit_code, to_int(ExitCode::input)) << fmt::format("{}", fmt::join(command, " "));
    EXPECT_THAT(end.error, HasSubstr("not a regular file"));
  }
}

TEST_F(OddFiles, MessagesAreInWordsForPeople) {
  const std::filesystem::path run_folder = run();
  const std::string long_name(300, 'x');
  for (const std::filesystem::path& file :
       {run_folder / "run.json", run_folder.parent_path() / "experiment.json"}) {
    const std::string whole = contents(file);
    for (const std::string& text : {std::string("{"), std::string("[1]"), std::string("\xff"),
                                    whole.substr(0, whole.size() / 2)}) {
      write_file(file, text);
      for (const char* const command : {"compare", "replay-log"}) {
        const ProgramEnd end = tracebed_program({command, file.parent_path().string()});
        EXPECT_EQ(end.exit_code, to_int(ExitCode::input)) << end.error;
        EXPECT_THAT(end.error, AllOf(HasSubstr(file.string()), has_no_marks()));
      }
    }
    write_file(file, whole);
  }
  const std::vector<std::vector<std::string>> commands = {
      {"compare", long_name},
      {"compare", run_folder.string(), "--output", folder_.file(long_name)},
      {"compare", run_folder.string(), "--output", folder_.file("small.swf")},
      {"replay-log", long_name},
      {"run", long_name},
      {"run", folder_.file("small.toml"), "--output", folder_.file(long_name)},
      {"run", folder_.file("small.toml"), "--output", folder_.file("small.swf/below")},
      {"scenario", long_name},
      {"schedulers", "explain", long_name},
      {"trace", "info", long_name},
      {"trace", "validate", long_name},
      {"trace", "convert", folder_.file("small.swf"), folder_.file(long_name), "--to", "swf"},
      {"trace", "cut", long_name, folder_.file("out.swf")},
      {"trace", "merge", folder_.file("out.tbt"), long_name, long_name},
      {"trace", "histories", long_name, folder_.file("out.json")}};
  for (const std::vector<std::string>& command : commands) {
    const ProgramEnd end = tracebed_program(command);
    const std::string what = fmt::format("{}", fmt::join(command, " "));
    EXPECT_TRUE(end.exit_code == 3 || end.exit_code == 4) << what << end.exit_code;
    EXPECT_THAT(end.error, AllOf(::testing::StartsWith("tracebed: "), has_no_marks())) << what;
  }
}

TEST_F(OddFiles, ALimitOnTheSizeOfFilesIsAnErrorAndNoSignal) {
  const std::filesystem::path file = write_small_experiment(folder_);
  const ProgramEnd generate =
      limited_program("-f 8", "tracebed",
                      {"trace", "generate", "swim", folder_.file("big"), "--jobs", "10000"})
          ->wait();
  EXPECT_EQ(generate.exit_code, to_int(ExitCode::environment)) << generate.error;
  EXPECT_THAT(generate.error, HasSubstr("File too large"));
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "big"));
  const ProgramEnd run =
      limited_program("-f 8", "tracebed",
                      {"run", file.string(), "--quiet", "--output", folder_.file("limited")})
          ->wait();
  EXPECT_EQ(run.exit_code, to_int(ExitCode::environment)) << run.error;
  EXPECT_THAT(run.error, HasSubstr("File too large"));
}

}  // namespace
}  // namespace tracebed
