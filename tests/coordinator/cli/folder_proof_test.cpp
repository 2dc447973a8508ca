// What an experiment leaves proves itself: no file of it can be damaged, and no row changed,
// without `compare` and `replay-log` naming it. And every row has a key of its own, whatever
// happened.
#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>
#include <sstream>
#include <string_view>

#include "coordinator/cli/program.h"
#include "coordinator/cli/run_folders.h"
#include "coordinator/recorded/replay_log.h"
#include "coordinator/runner/experiment_report.h"
#include "core/exit_codes.h"
#include "core/input_error.h"
#include "core/random.h"
#include "report/changed_folder.h"
#include "report/run_folder.h"
#include "support/damage.h"
#include "support/schedulers.h"

namespace tracebed {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::ThrowsMessage;

// Two queues, of which the first fills the cluster before the second has any jobs; masters in
// containers that end when they are asked to give up what they hold; a machine that fails. By seed
// more or less of all of it.
class FolderProof : public ::testing::Test {
 protected:
  FolderProof() {
    folder_.write("queues.xml",
                  "<configuration>"
                  "<property><name>yarn.scheduler.capacity.root.queues</name><value>a,b</value>"
                  "</property><property><name>yarn.scheduler.capacity.root.a.capacity</name>"
                  "<value>50</value></property><property>"
                  "<name>yarn.scheduler.capacity.root.b.capacity</name><value>50</value></property>"
                  "<property><name>yarn.scheduler.capacity.maximum-am-resource-percent</name>"
                  "<value>0.5</value></property></configuration>");
  }

  // The output folder of the experiment, which has run.
  std::filesystem::path run(std::uint64_t seed) {
    Random random = Random::stream(seed, "experiment");
    std::string rows;
    for (int i = 0; i < 16; ++i) {
      const bool is_late = i % 3 == 2;
      rows += "job" + std::to_string(i) + "\t" +
              std::to_string((is_late ? 60 : 0) + random.between(0, 60)) + "\t20\t" +
              std::to_string(random.between(1, 20) * 100'000'000) + "\t0\t0\n";
    }
    folder_.write("jobs.tsv", rows);
    const auto chance = [&] { return std::to_string(0.1 * static_cast<double>(random.below(6))); };
    const std::filesystem::path file = folder_.write(
        "proof.toml",
        "name = \"proof\"\nworld = \"virtual\"\nrepetitions = 1\nam = \"container\"\nseed = " +
            std::to_string(seed) +
            "\n[[scheduler]]\nname = \"capacity\"\nconfig = \"queues.xml\"\n"
            "preemption.enabled = true\npreemption.delivery = \"contract\"\n"
            "[[scheduler]]\nname = \"fifo\"\n"
            "[master_container]\nvcores = 1\nmemory = \"512 MiB\"\nattempts = 5\n"
            "[faults]\nignored_checkpoints = " +
            chance() + "\ncrashes_during_preemption = " + chance() +
            "\nlate_answers = " + chance() + "\n[[crash]]\nnode = \"node1\"\nat = \"" +
            std::to_string(random.between(100, 150)) +
            "s\"\ndown = \"1m\"\n"
            "[trace]\nfile = \"jobs.tsv\"\n[trace.rules]\nswim.queues = \"a,b\"\n"
            "[cluster]\nnodes = 3\nvcores = 8\nmemory = \"8 GiB\"\n[virtual]\n"
            "node_expiry = \"5s\"\n");
    const std::filesystem::path output = folder_.path() / ("runs" + std::to_string(seed));
    const ProgramEnd end =
        tracebed_program({"run", file.string(), "--quiet", "--output", output.string()});
    EXPECT_EQ(end.exit_code, 0) << end.error;
    return output;
  }

  // As the two commands look at a folder.
  static void compare(const std::filesystem::path& folder) {
    report_runs({named_run_folders({folder.string()}), FileCheck::contents, {}, ""});
  }
  static void replay(const std::filesystem::path& folder) {
    for (const auto& run : named_run_folders({folder.string()})) {
      EXPECT_TRUE(replay_log(run, test::schedulers()).agrees());
    }
  }

  TemporaryFolder folder_;
};

TEST_F(FolderProof, AnyDamageToAnyFileIsRefusedByItsName) {
  const std::filesystem::path output = run(1);
  compare(output);
  replay(output);
  std::set<std::string> damaged;
  for (const std::filesystem::path& file : all_files(output)) {
    const std::string name = file.filename().string();
    damaged.insert(name.substr(0, name.find('.')));
    // A run's file is looked at as that, too.
    std::filesystem::path own = file.parent_path();
    if (own.filename() == "scheduler-files") own = own.parent_path();
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
      const FileDamage damage(file, seed);
      SCOPED_TRACE(damage.text());
      const auto is_refused = ThrowsMessage<InputError>(HasSubstr(name));
      EXPECT_THAT([&] { compare(output); }, is_refused);
      EXPECT_THAT([&] { compare(own); }, is_refused);
      EXPECT_THAT([&] { replay(own); }, is_refused);
    }
  }
  for (const char* name : {"run", "jobs", "tasks", "samples", "queues", "preemptions", "preempted",
                           "rounds", "config", "report", "comparison", "experiment"}) {
    EXPECT_EQ(damaged.count(name), 1u) << name << ": the run was to have such a file";
  }
  compare(output);
  replay(output);
}

TEST_F(FolderProof, ACopyOfAnExperimentElsewhereIsAsGood) {
  const std::filesystem::path output = run(1);
  const std::filesystem::path copy = folder_.path() / "fetched";
  std::filesystem::copy(output, copy, std::filesystem::copy_options::recursive);
  std::filesystem::remove_all(output);
  compare(copy);
  replay(copy);
}

// Whoever writes new checksums beside a changed row is found by the log.
TEST_F(FolderProof, ARowThatTheLogDoesNotDecideIsNamed) {
  const std::filesystem::path run_folder = run(1) / "capacity";
  for (const char* name : {"jobs.csv", "tasks.csv", "samples.csv", "preemptions.csv"}) {
    const std::filesystem::path file = run_folder / name;
    const std::string before = contents(file);
    std::string text = before;
    // The last digit of the second row; of jobs.csv, whose diagnostics are empty, that before.
    const std::size_t row = text.find('\n', text.find('\n') + 1) + 1;
    const std::size_t end = text.find('\n', row);
    const std::size_t digit = text[end - 1] == ',' ? end - 2 : end - 1;
    text[digit] = text[digit] == '7' ? '8' : '7';
    write_file(file, text);
    list_anew(run_folder);
    const LogReplay changed = replay_log(run_folder, test::schedulers());
    EXPECT_FALSE(changed.agrees());
    ASSERT_EQ(changed.row_differences.size(), 1u) << name;
    const RowDifference& found = changed.row_differences[0];
    EXPECT_EQ(found.file, name);
    EXPECT_EQ(found.line, 3u);
    EXPECT_FALSE(found.column.empty());
    EXPECT_EQ(found.decided, before.substr(row, end - row));
    EXPECT_EQ(found.recorded, text.substr(row, end - row));

    const std::string_view from_log(name);
    if (from_log == "samples.csv" || from_log == "preemptions.csv") {
      write_file(file, before.substr(0, before.rfind('\n', before.size() - 2) + 1));
      list_anew(run_folder);
      const LogReplay shorter = replay_log(run_folder, test::schedulers());
      ASSERT_EQ(shorter.row_differences.size(), 1u) << name;
      EXPECT_EQ(shorter.row_differences[0].recorded, "") << "its last row is missing";
      write_file(file, before + "1,2,3\n");
      list_anew(run_folder);
      const LogReplay longer = replay_log(run_folder, test::schedulers());
      ASSERT_EQ(longer.row_differences.size(), 1u) << name;
      EXPECT_EQ(longer.row_differences[0].recorded, "1,2,3");
      EXPECT_EQ(longer.row_differences[0].decided, "");
    }
    write_file(file, before);
    list_anew(run_folder);
  }
  EXPECT_TRUE(replay_log(run_folder, test::schedulers()).agrees());
}

TEST_F(FolderProof, TheCommandsSayWhatIsWrongAndEndWithTheCodeForBadInput) {
  const std::filesystem::path output = run(1);
  const std::filesystem::path tasks = output / "capacity/tasks.csv";
  const std::string before = contents(tasks);
  write_file(tasks, before.substr(0, before.size() - 5));
  for (const char* command : {"compare", "replay-log"}) {
    const ProgramEnd end = tracebed_program({command, output.string()});
    EXPECT_EQ(end.exit_code, to_int(ExitCode::input));
    EXPECT_THAT(end.error,
                AllOf(HasSubstr("capacity/tasks.csv: expected "), HasSubstr("truncated")));
  }
  std::string text = before;
  char& digit = text[text.size() - 2];
  digit = digit == '7' ? '8' : '7';
  write_file(tasks, text);
  list_anew(output / "capacity");
  const ProgramEnd end = tracebed_program({"replay-log", (output / "capacity").string()});
  EXPECT_EQ(end.exit_code, to_int(ExitCode::run_failed));
  EXPECT_THAT(end.out, AllOf(HasSubstr("decided the same, but the rows differ"),
                             HasSubstr("tasks.csv:"), HasSubstr("the log decides \"")));
}

TEST_F(FolderProof, AnExperimentThatHasNotEndedAndOneOfAnotherVersionSaySo) {
  const std::filesystem::path output = run(1);
  const std::filesystem::path file = output / "experiment.json";
  const Json root = Json::parse(contents(file));
  Json changed = root;
  changed["has_ended"] = false;
  write_file(file, with_own_checksum(changed));
  EXPECT_THAT([&] { compare(output); },
              ThrowsMessage<InputError>(
                  AllOf(HasSubstr("the experiment is still running, or its program was killed"),
                        HasSubstr("completed runs: " + (output / "capacity").string()))));
  changed.erase("format");
  changed.erase("version");
  write_file(file, changed.dump());
  EXPECT_THAT([&] { compare(output); },
              ThrowsMessage<InputError>(HasSubstr(
                  "experiment.json: expected format version 3, got 1, which an older Tracebed")));
}

// The key of each row, made of the columns named.
std::vector<std::string> keys_of(const std::filesystem::path& file,
                                 const std::vector<std::string>& columns, bool launched_alone) {
  std::istringstream text(contents(file));
  std::string line;
  const auto cells_of = [](const std::string& row) {
    std::vector<std::string> cells;
    std::istringstream stream(row);
    for (std::string cell; std::getline(stream, cell, ',');) cells.push_back(cell);
    return cells;
  };
  std::getline(text, line);
  const std::vector<std::string> header = cells_of(line);
  const auto column = [&](const std::string& name) {
    const auto found = std::find(header.begin(), header.end(), name);
    EXPECT_NE(found, header.end()) << name << " is no column of " << file;
    return static_cast<std::size_t>(found - header.begin());
  };
  std::vector<std::string> keys;
  while (std::getline(text, line)) {
    const std::vector<std::string> cells = cells_of(line);
    if (launched_alone && cells.at(column("launched")) == "0") continue;
    std::string key;
    for (const std::string& name : columns) key += cells.at(column(name)) + ",";
    keys.push_back(key);
  }
  return keys;
}

std::vector<std::string> repeated(std::vector<std::string> keys) {
  std::sort(keys.begin(), keys.end());
  std::vector<std::string> twice;
  for (std::size_t i = 1; i < keys.size(); ++i) {
    if (keys[i] == keys[i - 1]) twice.push_back(keys[i]);
  }
  return twice;
}

TEST_F(FolderProof, EveryRowHasAKeyOfItsOwnAlsoWhereMastersAreTriedAgain) {
  const std::vector<std::string> task{"job", "is_master", "stage", "task", "attempt"};
  std::vector<std::string> whole_task = task;
  whole_task.push_back("application_attempt");
  std::size_t ambiguous = 0;
  std::uint64_t preempted = 0;
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    for (const std::filesystem::path& folder : named_run_folders({run(seed).string()})) {
      EXPECT_THAT(repeated(keys_of(folder / "jobs.csv", {"job"}, false)), IsEmpty());
      EXPECT_THAT(repeated(keys_of(folder / "tasks.csv", {"container"}, false)), IsEmpty());
      EXPECT_THAT(repeated(keys_of(folder / "tasks.csv", whole_task, true)), IsEmpty());
      ambiguous += repeated(keys_of(folder / "tasks.csv", task, true)).size();
      preempted += RunFolder::load(folder).preempted.size();
      EXPECT_TRUE(replay_log(folder, test::schedulers()).agrees());
    }
  }
  EXPECT_GT(ambiguous, 0u) << "no master's second attempt began its tasks anew";
  EXPECT_GT(preempted, 0u) << "nothing was preempted";
}

}  // namespace
}  // namespace tracebed
