// Jobs of a local run compute on real data: what they write is what their kernels must make of
// their input, also if a datanode is killed while they read.
#include <csignal>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <optional>
#include <unistd.h>

#include "coordinator/cli/kept_open_cluster.h"
#include "coordinator/cli/program.h"
#include "support/csv_rows.h"
#include "support/eventually.h"
#include "support/files.h"

namespace tracebed {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

// One of each kernel, two of which iterate as often as by default, and one job that lasts until the
// test ends the run. Splits end within lines and records.
constexpr const char* jobs =
    "job,submit_seconds,kind,input_bytes,maps,reduces,vcores,memory_mib,user,queue,input_path\n"
    "words,0,wordcount,3000000,4,3,1,256,,,/tracebed/kernels/wordcount/1\n"
    "lines,0,grep,3000000,3,2,1,256,,,/tracebed/kernels/grep/40\n"
    "order,0,sort,2000000,3,2,1,256,,,/tracebed/kernels/sort/3\n"
    "records,0,terasort,2000000,3,2,1,256,,,/tracebed/kernels/terasort/4\n"
    "points,0,kmeans,3000000,3,2,1,256,,,/tracebed/kernels/kmeans/5\n"
    "graph,0,pagerank,2000000,3,2,1,256,,,/tracebed/kernels/pagerank/6\n"
    "endless,60,grep,9000000000,1,0,1,256,,,\n";
constexpr std::array inputs = {"wordcount/1", "grep/40",  "sort/3",
                               "terasort/4",  "kmeans/5", "pagerank/6"};
constexpr std::array iterations = {"", "", "", "", " --iterations 5", " --iterations 3"};

class LocalKernels : public ::testing::Test {
 protected:
  void SetUp() override {
    if (::geteuid() != 0) GTEST_SKIP() << "cgroups can be written by root only";
  }
  void start(const std::string& storage, const std::string& of_jobs = jobs,
             const std::string& masters = "") {
    const std::string all = "output_replication = 2\nshuffle = true\n" + storage;
    cluster_.emplace("kernels-" + std::to_string(::getpid()),
                     KeptOpenOptions{.nodes = 6,
                                     .racks = 3,
                                     .storage = all,
                                     .namenode = "safemode = false\n",
                                     .masters = masters,
                                     .jobs = of_jobs});
  }
  static std::string input(std::size_t job) {
    return std::string("/tracebed/kernels/") + inputs[job];
  }
  static std::string output(std::size_t job) { return fmt::format("/tracebed/{}/output", job); }
  bool has_ended(std::size_t job) {
    return cluster_->sh("$STORAGE du " + output(job)).status == 0 &&
           cluster_->sh("$STORAGE du " + output(job) + "/_temporary").status != 0;
  }
  // Ends the run.
  std::vector<CsvRow> tasks() {
    const std::filesystem::path folder = cluster_->folder();
    (void)cluster_->interrupt();
    std::vector<CsvRow> all;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
      if (entry.path().filename() != "tasks.csv") continue;
      for (CsvRow& row : csv_rows(entry.path())) all.push_back(std::move(row));
    }
    return all;
  }
  static std::int64_t number(const CsvRow& row, const char* column) {
    return row.at(column) == "" ? 0 : std::stoll(row.at(column));
  }
  void expect_right_outputs() {
    for (std::size_t job = 0; job < inputs.size(); ++job) {
      SCOPED_TRACE(inputs[job]);
      expect_right_output(job, input(job), iterations[job]);
    }
  }
  void expect_right_output(std::size_t job, const std::string& from, const std::string& options) {
    ASSERT_TRUE(eventually([&] { return has_ended(job); }))
        << cluster_->said("$STORAGE ls " + output(job));
    const auto checked = cluster_->sh("$STORAGE check " + from + " " + output(job) + options);
    EXPECT_EQ(checked.status, 0) << checked.output;
    EXPECT_THAT(checked.output, StartsWith(output(job) + ": right ("));
  }

  std::optional<KeptOpenCluster> cluster_;
};

TEST_F(LocalKernels, WriteWhatTheyMustMakeOfTheirInput) {
  start("");
  expect_right_outputs();
  // Any client reads the input.
  ASSERT_EQ(cluster_->sh("$STORAGE get " + input(0) + " words").status, 0);
  EXPECT_EQ(contents(cluster_->folder() / "words").size(), 3'002'368u);
  EXPECT_EQ(cluster_->sh("grep -cv '^[a-z. ]*$' words").output, "0\n");
  // A check is of one input alone.
  const auto other = cluster_->sh("$STORAGE check " + input(0) + " " + output(2));
  EXPECT_EQ(other.status, 1);
  EXPECT_THAT(other.output, HasSubstr(output(2) + ": wrong: "));
  const auto part = cluster_->sh("$STORAGE check " + input(1) + " /tracebed/1");
  EXPECT_NE(part.status, 0);
  const auto fewer =
      cluster_->sh("$STORAGE check " + input(4) + " " + output(4) + " --iterations 4");
  EXPECT_EQ(fewer.status, 1) << fewer.output;
  const auto unknown = cluster_->sh("$STORAGE check " + input(5) + " " + output(5));
  EXPECT_THAT(unknown.output, HasSubstr("expected --iterations"));
  const auto vain = cluster_->sh("$STORAGE check " + input(0) + " " + output(0) + iterations[4]);
  EXPECT_THAT(vain.output, HasSubstr("does not iterate"));
}

TEST_F(LocalKernels, SurviveADatanodeThatTheyReadFrom) {
  start("network_rate = \"300 kB/s\"\ndisk_rate = \"unlimited\"\n");
  ASSERT_TRUE(eventually([&] { return cluster_->has_containers(); }));
  const std::vector<std::string> holders = cluster_->holders(input(0), 0);
  ASSERT_FALSE(holders.empty());
  ASSERT_EQ(::kill(cluster_->datanode(holders.front()), SIGKILL), 0);
  expect_right_outputs();
}

// A map of 160 MiB, which the run divides by four, sorts in 10 MiB and has 22 MiB for its output of
// 16 MB, but not for what it spills before.
TEST_F(LocalKernels, SpillWhatTheyCannotSortAtOnce) {
  start("",
        "job,submit_seconds,kind,input_bytes,maps,reduces,vcores,memory_mib,user,queue,input_path\n"
        "records,0,terasort,16000000,1,1,1,160,,,/tracebed/kernels/terasort/7\n"
        "endless,60,grep,9000000000,1,0,1,256,,,\n");
  expect_right_output(0, "/tracebed/kernels/terasort/7", "");
  std::int64_t spilled = 0;
  for (const CsvRow& row : tasks()) spilled += number(row, "bytes_spilled");
  EXPECT_GE(spilled, 16'000'000) << "each byte once, in two runs or more";
  EXPECT_LT(spilled, 18'000'000);
}

// Each of six maps reads a block once; those of later iterations wait for the executor that has it.
TEST_F(LocalKernels, IterateOnTheBlocksThatExecutorsKeepInMemory) {
  start("",
        "job,submit_seconds,kind,input_bytes,maps,reduces,vcores,memory_mib,user,queue,input_path\n"
        "points,0,kmeans,3000000,3,2,1,256,,,/tracebed/kernels/kmeans/5\n"
        "graph,0,pagerank,2000000,3,2,1,256,,,/tracebed/kernels/pagerank/6\n"
        "endless,60,grep,9000000000,1,0,1,256,,,\n",
        "executors = 3\nexecutor_cache_mib = 8\nlocality_wait_process_ms = 3600000\n");
  expect_right_output(0, "/tracebed/kernels/kmeans/5", " --iterations 5");
  expect_right_output(1, "/tracebed/kernels/pagerank/6", " --iterations 3");
  std::map<std::string, std::int64_t> read;
  std::map<std::string, int> from_memory;
  for (const CsvRow& row : tasks()) {
    for (const char* column : {"bytes_node_local", "bytes_rack_local", "bytes_off_rack"}) {
      read[row.at("job")] += number(row, column);
    }
    from_memory[row.at("job")] += row.at("locality") == "process";
  }
  // The end of the last record of a split is behind it.
  constexpr std::int64_t behind = 3 * 128;
  EXPECT_GE(read["0"], 3'000'000);
  EXPECT_LE(read["0"], 3'000'000 + behind);
  EXPECT_EQ(from_memory["0"], 3 * 4);
  EXPECT_GE(read["1"], 2'000'000);
  EXPECT_LE(read["1"], 2'000'000 + behind);
  EXPECT_EQ(from_memory["1"], 3 * 2);
}

// Nothing is computed, which a user who chose a kernel has to know.
TEST(KernelsWithoutStorage, AreWarnedOfByTheFirstJobThatNamesOne) {
  const TemporaryFolder folder;
  folder.write(
      "mix.csv",
      "job,submit_seconds,kind,input_bytes,maps,reduces,vcores,memory_mib,user,queue,input_path\n"
      "words,0,wordcount,4096,1,1,1,256,,,\nlines,0,grep,4096,1,1,1,256,,,\n");
  const auto run = [&](const std::string& rules) {
    const auto file =
        folder.write("mix.toml",
                     "name = \"mix\"\nworld = \"virtual\"\nschedulers = [\"fifo\"]\n"
                     "[trace]\nfile = \"mix.csv\"\n" +
                         rules + "[cluster]\nnodes = 2\nvcores = 4\nmemory = \"8 GiB\"\n");
    const ProgramEnd end = tracebed_program(
        {"run", file.string(), "--output", folder.file(rules.empty() ? "bytes" : "kernels")});
    EXPECT_EQ(end.exit_code, 0) << end.error;
    return end.out + end.error;
  };
  const std::string warned = run("[trace.rules]\nmix.input = \"kernels\"\n");
  EXPECT_THAT(warned, HasSubstr("job words reads /tracebed/kernels/wordcount/0, but the run has no "
                                "[storage]"));
  EXPECT_THAT(warned, testing::Not(HasSubstr("kernels/grep")));
  EXPECT_THAT(run(""), testing::Not(HasSubstr("/tracebed/kernels")));
}

}  // namespace
}  // namespace tracebed
