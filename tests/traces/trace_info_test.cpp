#include "traces/trace_info.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/input_error.h"
#include "traces/trace_texts.h"

namespace tracebed {
namespace {

using ::testing::HasSubstr;

// Three jobs of 4, 2 and 1 processors for 100, 50 and 0 s (one second), 10 s apart; one cancelled.
constexpr const char* swf =
    "; MaxProcs: 10\n"
    "1 100 -1 100 4 -1 -1 -1 80 -1 1 5 1 -1 1 -1 -1 -1\n"
    "2 110 -1  50 2 -1 -1 -1 -1 -1 0 6 1 -1 1 -1 -1 -1\n"
    "3 115 -1  -1 -1 -1 -1 -1 -1 -1 5 6 1 -1 1 -1 -1 -1\n"
    "4 120 -1   0 1 0.5 -1 -1 -1 -1 1 5 1 -1 1 -1 -1 -1\n";

TEST(TraceInfo, MeasuresAnSwfFile) {
  const TemporaryFolder folder;
  const TraceInfo info = measure_trace(folder.write("a.swf", swf), {});
  EXPECT_EQ(info.format, "swf");
  EXPECT_EQ(info.rows, 4u);
  EXPECT_EQ(info.jobs, 3u);
  EXPECT_EQ(info.tasks, 7u);
  EXPECT_EQ(info.first_submit_seconds, 100);
  EXPECT_EQ(info.last_submit_seconds, 120);
  EXPECT_EQ(info.span_seconds, 20);
  EXPECT_EQ(info.vcore_seconds, 4 * 100 + 2 * 50 + 1);
  EXPECT_DOUBLE_EQ(info.offered_vcores, 501.0 / 20);
  EXPECT_EQ(info.recorded_vcores, 10.0);
  EXPECT_DOUBLE_EQ(info.load.value(), 501.0 / 200);
  ASSERT_EQ(info.left_out.size(), 1u);
  EXPECT_EQ(info.left_out[0].name, "swf.cancelled");
  const auto count = [&](std::string_view name) {
    for (const TraceCount& each : info.counts) {
      if (each.name == name) return each.count;
    }
    ADD_FAILURE() << name;
    return std::uint64_t{0};
  };
  EXPECT_EQ(count("status 1, completed"), 2u);
  EXPECT_EQ(count("status 0, failed"), 1u);
  EXPECT_EQ(count("status 5, cancelled"), 1u);
  EXPECT_EQ(count("run time above requested time"), 1u);
  EXPECT_EQ(count("run time unknown"), 1u);
  EXPECT_EQ(count("run time 0"), 1u);
  EXPECT_EQ(count("processors unknown"), 1u);
  EXPECT_EQ(count("a fraction"), 1u);
  EXPECT_EQ(info.distinct.at(0).count, 2u);  // users
  const DistributionSummary& run = info.columns.at(1);
  EXPECT_EQ(run.count, 3u);           // the known ones
  EXPECT_EQ(run.percentile(50), 50);  // of 0, 50, 100
  EXPECT_EQ(run.maximum, 100);
  const DistributionSummary& processors = info.columns.at(2);
  EXPECT_EQ(processors.count, 3u);  // the known ones
}

TEST(TraceInfo, ShowsTheProcessorsThatTheRuleChooses) {
  const TemporaryFolder folder;
  const std::string path =
      folder.write("a.swf", "1 0 -1 10 4 -1 -1 8 -1 -1 1 1 1 -1 -1 -1 -1 -1\n").string();
  const auto processors = [&](const char* column) {
    return measure_trace(path, testing::with_rule("swf.processors", column)).columns.at(1);
  };
  EXPECT_EQ(processors("requested").name, "processors");
  EXPECT_EQ(processors("requested").maximum, 8);
  EXPECT_EQ(processors("allocated").maximum, 4);
}

TEST(TraceInfo, ListsTheRulesOfTheFormatInForce) {
  const TemporaryFolder folder;
  const TraceInfo info =
      measure_trace(folder.write("a.swf", swf), testing::with_rule("swf.limit_factor", "3"));
  bool found = false;
  for (const auto& [name, value] : info.rules) {
    EXPECT_FALSE(std::string_view(name).starts_with("swim.")) << name;
    found |= name == "swf.limit_factor" && value == "3";
  }
  EXPECT_TRUE(found);
}

TEST(TraceInfo, CountsBadRowsByReason) {
  const TemporaryFolder folder;
  const std::string path = folder.write("a.swf", std::string(swf) + "1 2 3\n" + "4 5 6\n");
  EXPECT_THROW(measure_trace(path, {}), InputError);
  TraceOptions options;
  options.skip_bad = true;
  const TraceInfo info = measure_trace(path, options);
  ASSERT_EQ(info.bad_rows.size(), 1u);
  EXPECT_EQ(info.bad_rows[0].reason, "wrong number of columns");
  EXPECT_EQ(info.bad_rows[0].rows, 2u);
  EXPECT_EQ(info.bad_rows[0].first, path + ":6: row: expected 18 columns, got 3 columns");
}

TEST(TraceInfo, ReadsAsTextAndAsJson) {
  const TemporaryFolder folder;
  const TraceInfo info = measure_trace(folder.write("a.swf", swf), {});
  const std::string text = to_text(info);
  EXPECT_THAT(text, HasSubstr("4 rows, submitted from 100 s to 120 s"));
  EXPECT_THAT(text, HasSubstr("3 jobs, 7 tasks"));
  EXPECT_THAT(text, HasSubstr("load 2.505 of the 10 vcores"));
  EXPECT_THAT(text, HasSubstr("0.139 vcore-hours of work, which keep 25.05 vcores busy"));
  const nlohmann::json json = to_json(info);
  EXPECT_EQ(json["rows"], 4);
  EXPECT_EQ(json["counts"]["status 5, cancelled"], 1);
  EXPECT_EQ(json["columns"][1]["name"], "run time");
  EXPECT_EQ(json["columns"][1]["p50"], 50);
  EXPECT_EQ(json["left_out"]["swf.cancelled"], 1);
  EXPECT_EQ(json["rules"]["swf.processors"], "requested");
  EXPECT_EQ(json["load_over_time"]["spans"].size(), 1u);
}

// The text of a trace of one job; `row` is its columns after the submission and its gap.
std::string info_of_swim(std::string_view bytes) {
  const TemporaryFolder folder;
  return to_text(measure_trace(folder.write("a.tsv", "j\t0\t0\t" + std::string(bytes) + "\n"), {}));
}

TEST(TraceInfo, PrintsFourDigitsAndPrefixes) {
  EXPECT_THAT(info_of_swim("99999\t0\t0"), HasSubstr(" 99999\n"));
  EXPECT_THAT(info_of_swim("100000\t0\t0"), HasSubstr(" 100k\n"));
  EXPECT_THAT(info_of_swim("123456\t0\t0"), HasSubstr(" 123.5k\n"));
  EXPECT_THAT(info_of_swim("999960\t0\t0"), HasSubstr(" 1M\n"));
  EXPECT_THAT(info_of_swim("7551000000000\t0\t0"), HasSubstr(" 7.551T\n"));
}

TEST(TraceInfo, FitsATerminalOfAHundredColumns) {
  const TemporaryFolder folder;
  const std::string text = to_text(measure_trace(folder.write("a.swf", swf), {}));
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.find(folder.file("")) != std::string::npos) continue;
    EXPECT_LE(line.size(), 100u) << line;
    EXPECT_FALSE(line.ends_with(' ')) << line;
  }
}

TEST(TraceInfo, DrawsTheWorkSubmittedOverTime) {
  const TemporaryFolder folder;
  const std::string rows =
      "1 0 -1 60 1 -1 -1 -1 -1 -1 1 -1 -1 -1 -1 -1 -1 -1\n"
      "2 30 -1 60 1 -1 -1 -1 -1 -1 1 -1 -1 -1 -1 -1 -1 -1\n"
      "3 150 -1 60 1 -1 -1 -1 -1 -1 1 -1 -1 -1 -1 -1 -1 -1\n";
  // Minutes with 120, 0 and 60 vcore-seconds.
  EXPECT_THAT(to_text(measure_trace(folder.write("a.swf", rows), {})),
              HasSubstr("every 1 min, as the mean of vcores it would keep busy for so long\n"
                        "        00:00:00       2 jobs       2 vcores  " +
                        std::string(40, '#') +
                        "\n        00:01:00       0 jobs       0 vcores\n"
                        "        00:02:00        1 job       1 vcores  " +
                        std::string(20, '#') + "\n"));
}

TEST(TraceInfo, OfATraceWithoutRowsIsAllZero) {
  const TemporaryFolder folder;
  const TraceInfo info = measure_trace(folder.write("a.swf", "; Version: 2.2\n"), {});
  EXPECT_EQ(info.jobs, 0u);
  EXPECT_EQ(info.span_seconds, 0);
  EXPECT_FALSE(to_text(info).empty());
  EXPECT_EQ(to_json(info)["jobs"], 0);
}

TEST(TraceInfo, SaysWhenPercentilesAreNotExact) {
  const TemporaryFolder folder;
  InfoOptions few;
  few.exact_max = 2;
  const TraceInfo info = measure_trace(folder.write("a.swf", swf), {}, few);
  EXPECT_FALSE(info.columns.at(1).exact);
  EXPECT_THAT(to_text(info), HasSubstr("within 0.5 %"));
}

// Of 300 MB three blocks are read; of 1 kB one, and its shuffle is one reduce's.
TEST(TraceInfo, TellsSizesOfJobsAndDemandsOfTasks) {
  const TemporaryFolder folder;
  TraceOptions options = testing::with_rule("swim.map_vcores", "0.5");
  const TraceInfo info = measure_trace(
      folder.write("a.tsv", "a\t0\t0\t300000000\t0\t40\nb\t9\t9\t1000\t2000\t60\n"), options);
  const auto find = [](const std::vector<DistributionSummary>& sizes, std::string_view name) {
    for (const DistributionSummary& each : sizes) {
      if (each.name == name) return each;
    }
    ADD_FAILURE() << name;
    return DistributionSummary();
  };
  const DistributionSummary input = find(info.job_sizes, "input");
  EXPECT_EQ(input.count, 2u);
  EXPECT_EQ(input.minimum, 1000);
  EXPECT_EQ(input.maximum, 300'000'000);
  EXPECT_EQ(find(info.job_sizes, "shuffle").sum, 2000);
  EXPECT_EQ(find(info.job_sizes, "tasks").maximum, 3);
  const DistributionSummary vcores = find(info.task_sizes, "vcores");
  EXPECT_EQ(vcores.count, 5u);  // 3 maps; 1 map and 1 reduce
  EXPECT_EQ(vcores.percentile(50), 0.5);
  EXPECT_EQ(vcores.maximum, 1);
  EXPECT_EQ(find(info.task_sizes, "memory").sum, 5 * 1024);
  EXPECT_THAT(to_text(info), HasSubstr("Their tasks, every one counted"));
  EXPECT_EQ(to_json(info)["task_sizes"][1]["name"], "vcores");
}

TEST(RuleTable, PrintsEveryRuleWithItsValue) {
  TraceRules rules;
  rules.map_reduce.block_mib = 64;
  EXPECT_THAT(rules_to_text(rules), HasSubstr("swim.block_mib = 64\n"));
  for (const nlohmann::json& rule : rules_to_json(rules)) {
    if (rule["name"] != "swim.block_mib") continue;
    EXPECT_EQ(rule["value"], "64");
    EXPECT_EQ(rule["default"], "128");
  }
}

}  // namespace
}  // namespace tracebed
