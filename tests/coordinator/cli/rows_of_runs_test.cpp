// What a run's rows say together, for random whole runs in which attempts fail, containers are
// asked back, nodes are reserved and machines fail: jobs.csv counts what tasks.csv has, queues.csv
// what its containers hold, and queues have one name.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <map>
#include <set>

#include "coordinator/cli/program.h"
#include "core/random.h"
#include "report/run_columns.h"
#include "report/run_folder.h"
#include "support/csv_rows.h"
#include "support/temporary_folder.h"

namespace tracebed {
namespace {

std::string property(const std::string& name, const std::string& value) {
  return "<property><name>yarn.scheduler.capacity." + name + "</name><value>" + value +
         "</value></property>\n";
}

// Two leaves below one queue and a third beside it, called by their last names in the trace.
std::string capacity_queues() {
  return "<configuration>\n" + property("root.queues", "teams,adhoc") +
         property("root.teams.queues", "red,blue") + property("root.teams.capacity", "60") +
         property("root.adhoc.capacity", "40") + property("root.teams.red.capacity", "50") +
         property("root.teams.blue.capacity", "50") + "</configuration>\n";
}

std::int64_t number(const CsvRow& row, const std::string& column) {
  return std::stoll(row.at(column));
}

class RowsOfRuns : public testing::TestWithParam<std::string> {
 protected:
  // Ends in a folder below scratch_/runs.
  void run(std::uint64_t seed) {
    Random random = Random::stream(seed, "rows of runs");
    std::string jobs;
    TraceTime submit{};
    for (int i = 0; i < 25; ++i) {
      submit += Duration(static_cast<std::int64_t>(random.exponential(20e6)));
      jobs += fmt::format("job{}\t{}\t20\t{}\t0\t0\n", i, static_cast<int>(to_seconds(submit)),
                          (1 + random.below(12)) * 64'000'000);
    }
    scratch_.write("jobs.tsv", jobs);
    scratch_.write("queues.xml", capacity_queues());
    const bool has_masters = random.chance(0.5);
    const std::string text = fmt::format(
        "name = \"rows\"\nworld = \"virtual\"\nrepetitions = 1\nseed = {}\nam = "
        "\"{}\"\n[[scheduler]]\n{}\n"
        "[trace]\nfile = \"jobs.tsv\"\n[trace.rules]\nswim.queues = \"red,blue,adhoc\"\n"
        "[cluster]\nnodes = 3\nvcores = 5\nmemory = \"{} GiB\"\nlimit_vcores = {}\n"
        "[faults]\nexceeded_memory = {}\n[[crash]]\nat = \"{}s\"\nnode = \"node1\"\ndown = "
        "\"1m\"\n",
        seed, has_masters ? "container" : "unmanaged", GetParam(), 4 + random.below(4),
        seed % 2 == 0, 0.3 + 0.3 * random.unit(), 30 + random.below(200));
    const std::filesystem::path file = scratch_.write("rows.toml", text);
    const std::filesystem::path output = scratch_.path() / fmt::format("runs{}", seed);
    const ProgramEnd end = tracebed_program({"run", file.string(), "--output", output.string()});
    ASSERT_EQ(end.exit_code, 0) << end.error;
    const std::string name = GetParam().substr(GetParam().find('"') + 1);
    folder_ = output / name.substr(0, name.find('"'));
    jobs_ = csv_rows(folder_ / jobs_csv_file);
    tasks_ = csv_rows(folder_ / tasks_csv_file);
    ASSERT_EQ(jobs_.size(), 25u);
  }

  void expect_that_jobs_count_their_attempts() {
    std::map<std::string, std::pair<std::int64_t, std::int64_t>> counts;
    std::map<std::string, std::int64_t> last;
    for (const CsvRow& task : tasks_) {
      if (task.at("launched") == "0" || task.at("is_master") == "1") continue;
      auto& [attempts, lost] = counts[task.at("job")];
      ++attempts;
      lost += task.at("end") == "succeeded" ? 0 : 1;
      last[task.at("job")] = number(task, "reported_us");
    }
    for (const CsvRow& job : jobs_) {
      const auto& [attempts, lost] = counts[job.at("job")];
      EXPECT_EQ(number(job, "attempts"), attempts) << job.at("job");
      EXPECT_EQ(number(job, "attempts_lost"), lost) << job.at("job");
      ended_after_ += last[job.at("job")] > number(job, "finished_us") ? 1 : 0;
    }
  }

  void expect_that_queues_hold_their_containers() {
    std::set<std::string> leaves;
    for (const CsvRow& row : csv_rows(folder_ / queues_csv_file)) {
      leaves.insert(row.at("queue"));
      const std::int64_t at = number(row, "at_us");
      std::int64_t vcores = 0;
      std::int64_t memory = 0;
      for (const CsvRow& task : tasks_) {
        const bool holds = number(task, "allocated_us") <= at && at < number(task, "reported_us");
        if (!holds || task.at("queue") != row.at("queue")) continue;
        vcores += number(task, "milli_vcores");
        memory += number(task, "memory_mib");
      }
      EXPECT_EQ(number(row, "used_milli_vcores"), vcores) << row.at("queue") << " at " << at;
      EXPECT_EQ(number(row, "used_memory_mib"), memory) << row.at("queue") << " at " << at;
      reserved_ += number(row, "reserved_memory_mib") > 0 ? 1 : 0;
    }
    std::map<std::string, std::string> queue_of;
    for (const CsvRow& job : jobs_) {
      queue_of[job.at("job")] = job.at("queue");
      if (job.at("outcome") != "rejected") {
        EXPECT_TRUE(leaves.contains(job.at("queue"))) << job.at("queue");
      }
    }
    for (const char* file : {tasks_csv_file, preemptions_csv_file}) {
      for (const CsvRow& row : csv_rows(folder_ / file)) {
        EXPECT_EQ(row.at("queue"), queue_of[row.at("job")]) << file;
      }
    }
  }

  TemporaryFolder scratch_;
  std::filesystem::path folder_;
  std::vector<CsvRow> jobs_;
  std::vector<CsvRow> tasks_;
  int ended_after_ = 0;  // jobs with attempts that ended after them
  int reserved_ = 0;     // rows of queues with something reserved
};

TEST_P(RowsOfRuns, AgreeWithEachOtherAndWithTheLog) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    run(seed);
    if (HasFatalFailure()) return;
    expect_that_jobs_count_their_attempts();
    expect_that_queues_hold_their_containers();
    const ProgramEnd again = tracebed_program({"replay-log", folder_.string()});
    EXPECT_EQ(again.exit_code, 0) << again.out << again.error;
    EXPECT_EQ(RunFolder::load(folder_).jobs.size(), jobs_.size());
  }
  EXPECT_GT(ended_after_, 0) << "no job had an attempt that ended after it";
  if (GetParam().find("\"capacity\"") != std::string::npos) {
    EXPECT_GT(reserved_, 0) << "nothing was reserved";
  }
}

INSTANTIATE_TEST_SUITE_P(
    Schedulers, RowsOfRuns,
    testing::Values("name = \"capacity\"\nconfig = \"queues.xml\"\npreemption.enabled = true",
                    "name = \"fair\"\npreemption.enabled = true", "name = \"slot_fair\""),
    [](const testing::TestParamInfo<std::string>& scheduler) {
      const std::string name = scheduler.param.substr(scheduler.param.find('"') + 1);
      return name.substr(0, name.find('"'));
    });

}  // namespace
}  // namespace tracebed
