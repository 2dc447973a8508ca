#include "report/text_report.h"

#include <algorithm>
#include <cstdlib>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "report/json_report.h"
#include "report/preemption_text.h"
#include "report/sample_runs.h"
#include "support/files.h"
#include "support/temporary_folder.h"

namespace tracebed {
namespace {

// Ten jobs on two machines, by hand, in both worlds under two schedulers. Repetitions differ in
// their contention.
Comparison small_comparison(const TemporaryFolder& folder, std::uint32_t repetitions = 1) {
  std::vector<SampleJob> jobs;
  const std::array<int, 10> lengths{60, 50, 10, 20, 5, 40, 10, 15, 30, 5};
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    jobs.push_back({trace_time(static_cast<std::int64_t>(i) * 4'000'000), seconds(lengths[i]),
                    i % 3 == 0 ? "ann" : "bob"});
  }
  std::vector<RunFolder> runs;
  for (const char* world : {"virtual", "local"}) {
    for (std::uint32_t i = 0; i < 2 * repetitions; ++i) {
      const bool shortest_first = i % 2 == 1;
      SampleCluster cluster;
      cluster.repetition = i / 2 + 1;
      cluster.contention = repetitions > 1 ? 0.1 : 0;
      cluster.label = shortest_first ? "shortest" : "fifo";
      cluster.world = world;
      cluster.shortest_first = shortest_first;
      cluster.machines = 2;
      cluster.launch_latency = cluster.world == "local" ? seconds(2) : seconds(1);
      cluster.heartbeat_delay = cluster.world == "local" ? milliseconds(500) : Duration();
      const auto path = folder.path() / (cluster.label + world + std::to_string(i));
      write_sample_run(path, cluster, jobs);
      runs.push_back(RunFolder::load(path));
    }
  }
  return compare(runs, {});
}

// Compares with the file in golden/; with TRACEBED_UPDATE_GOLDEN set, writes it instead, and the
// change is reviewed like any other.
void expect_golden(const std::string& name, const std::string& text) {
  const std::filesystem::path file = std::filesystem::path(GOLDEN_FOLDER) / name;
  if (std::getenv("TRACEBED_UPDATE_GOLDEN") != nullptr) write_file(file, text);
  std::istringstream got(text);
  std::istringstream golden(contents(file));
  std::string got_line;
  std::string golden_line;
  for (int line = 1; std::getline(golden, golden_line); ++line) {
    ASSERT_TRUE(std::getline(got, got_line)) << name << " goes on: " << golden_line;
    ASSERT_EQ(got_line, golden_line) << name << ":" << line;
  }
  EXPECT_FALSE(std::getline(got, got_line)) << "beyond " << name << ": " << got_line;
}

TEST(TextReport, OfASmallComparisonIsTheGoldenOne) {
  const TemporaryFolder folder;
  expect_golden("comparison.txt", to_text(small_comparison(folder)));
}

TEST(TextReport, FitsAHundredColumns) {
  const TemporaryFolder folder;
  std::istringstream text(to_text(small_comparison(folder, 2)));
  for (std::string line; std::getline(text, line);) {
    const auto characters =
        std::count_if(line.begin(), line.end(), [](char byte) { return (byte & 0xC0) != 0x80; });
    EXPECT_LE(characters, 100) << line;
  }
}

TEST(JsonReport, OfASmallComparisonIsTheGoldenOne) {
  const TemporaryFolder folder;
  expect_golden("comparison.json", to_json(small_comparison(folder), folder.path()));
}

TEST(JsonReport, CanBeReadByPrograms) {
  const TemporaryFolder folder;
  const auto json = nlohmann::json::parse(to_json(small_comparison(folder), folder.path()));
  const auto& world = json.at("worlds").at(0);
  EXPECT_EQ(world.at("world"), "virtual");
  EXPECT_EQ(world.at("comparisons").at(0).at("baseline"), "fifo");
  EXPECT_EQ(world.at("comparisons").at(0).at("figures").at("makespan").at("verdict"),
            "one_repetition");
  EXPECT_EQ(json.at("world_differences").size(), 2u);
  const auto& split = json.at("world_differences").at(0).at("jct_seconds").at("p50");
  double sum = 0;
  for (const auto& part : split.at("parts")) sum += part.get<double>();
  EXPECT_NEAR(sum, split.at("difference").get<double>(), 1e-9);
}

// No deadline met is said as well; without any there are no such rows.
TEST(TextReport, TellsHowManyDeadlinesWereMet) {
  const TemporaryFolder folder;
  Comparison comparison = small_comparison(folder);
  EXPECT_EQ(to_text(comparison).find("jobs with a deadline"), std::string::npos);
  ComparedScheduler& fifo = comparison.worlds.front().schedulers.front();
  fifo.metrics.front().deadlines = {.jobs = 8, .met = 6, .tardiness = {8, 1.5, 0, 7, 7, 7}};
  comparison.worlds.front().schedulers.back().metrics.front().deadlines.jobs = 8;
  std::string text = to_text(comparison);
  text.erase(
      std::unique(text.begin(), text.end(), [](char a, char b) { return a == ' ' && b == ' '; }),
      text.end());
  for (const char* row :
       {"jobs with a deadline 8 8\n", "deadline met 6 0\n", "deadline met (%) 75 0\n",
        "tardiness, mean (s) 1.5 0\n", "tardiness p95 (s) 7 0\n"}) {
    EXPECT_NE(text.find(row), std::string::npos) << row << "is not in\n" << text;
  }
  const auto json = nlohmann::json::parse(to_json(comparison, folder.path()));
  const auto& run = json.at("worlds").at(0).at("schedulers").at(0).at("run_metrics").at(0);
  EXPECT_EQ(run.at("deadlines").at("met"), 6);
  EXPECT_EQ(run.at("deadlines").at("tardiness_seconds").at("mean"), 1.5);
}

// Of two runs, one asked for nothing: means over runs are half of what the other says.
TEST(TextReport, TellsWhatWasAskedBackAndHowLongQueuesStarved) {
  WorldComparison world;
  ComparedScheduler& scheduler = world.schedulers.emplace_back();
  scheduler.label = "asks";
  scheduler.metrics.resize(2);
  const PreemptionCounts counts{.asked = 8,
                                .in_time = 4,
                                .substituted = 2,
                                .forced = 2,
                                .cancelled = 1,
                                .lost = 1,
                                .lost_vcore_seconds = 30,
                                .lost_mib_seconds = 4'000,
                                .saved_vcore_seconds = 5,
                                .saved_mib_seconds = 2'000};
  scheduler.metrics[0].attempts.preemption = {counts, {{"batch", counts}}};
  scheduler.metrics[0].starvation = {
      0.25, {{.queue = "root.urgent", .seconds = {3, 4, 2, 7, 7, 7}, .total = 20, .unended = 8}}};
  const std::string text = preemption_text(world);
  for (const char* line : {"queue        marked  in time  substituted  forced  cancelled  lost\n",
                           "asks, batch       4        2            1       1        0.5   0.5\n",
                           "queue        lost vcore s  saved vcore s  lost MiB s  saved MiB s\n",
                           "asks, batch            15            2.5       2,000        1,000\n",
                           "leaf queue         times  mean (s)  longest (s)  in all (s)\n",
                           "asks, root.urgent      2         5            8          10\n",
                           "starvation begins and ends are known to within 0.25 s\n"}) {
    EXPECT_NE(text.find(line), std::string::npos) << line << "is not in\n" << text;
  }
  scheduler.metrics.erase(scheduler.metrics.begin());
  EXPECT_EQ(preemption_text(world), "");
}

}  // namespace
}  // namespace tracebed
