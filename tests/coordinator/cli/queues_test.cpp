// Runs under a scheduler with queues from a file: what the folder keeps, and a refresh in mid-run.
#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "coordinator/cli/program.h"
#include "report/page_labels.h"
#include "report/run_folder.h"
#include "support/files.h"

namespace tracebed {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

std::string queues(int a, int b) {
  const auto property = [](const std::string& name, const std::string& value) {
    return "<property><name>yarn.scheduler.capacity." + name + "</name><value>" + value +
           "</value></property>\n";
  };
  return "<configuration>\n" + property("root.queues", "a,b") +
         property("root.a.capacity", std::to_string(a)) +
         property("root.b.capacity", std::to_string(b)) + property("root.a.colour", "red") +
         "</configuration>\n";
}

class Queues : public ::testing::Test {
 protected:
  Queues() {
    std::string rows;
    for (int i = 0; i < 40; ++i) {
      rows += "job" + std::to_string(i) + "\t" + std::to_string(i * 20) + "\t20\t" +
              "1000000000\t0\t0\n";
    }
    folder_.write("jobs.tsv", rows);
    folder_.write("queues.xml", queues(75, 25));
    folder_.write("later.xml", queues(25, 75));
    folder_.write("wrong.xml", queues(25, 80));
  }

  ProgramEnd run(const std::string& more, const std::vector<std::string>& flags = {}) const {
    const auto file = folder_.write("mine.toml",
                                    "name = \"mine\"\nworld = \"virtual\"\nrepetitions = 1\n"
                                    "[[scheduler]]\nname = \"capacity\"\nconfig = \"queues.xml\"\n"
                                    "[trace]\nfile = \"jobs.tsv\"\n"
                                    "[trace.rules]\nswim.queues = \"a,b\"\n"
                                    "[cluster]\nnodes = 2\nvcores = 2\nmemory = \"4 GiB\"\n" +
                                        more);
    std::vector<std::string> arguments{"run", file.string(), "--output",
                                       (folder_.path() / "runs").string()};
    arguments.insert(arguments.end(), flags.begin(), flags.end());
    return tracebed_program(arguments);
  }
  std::filesystem::path replay() const { return folder_.path() / "runs/capacity"; }

  TemporaryFolder folder_;
};

TEST_F(Queues, AFileThatIsNotObeyedKeepsARunFromStartingUnlessItIsToBeIgnored) {
  std::string unobeyed = queues(75, 25);
  const std::string name = "yarn.scheduler.capacity.multi-node-placement-enabled";
  unobeyed.insert(unobeyed.rfind("</configuration>"),
                  "<property><name>" + name + "</name><value>true</value></property>\n");
  folder_.write("queues.xml", unobeyed);
  const ProgramEnd refused = run("");
  EXPECT_EQ(refused.exit_code, 3);
  EXPECT_THAT(refused.error, HasSubstr("queues.xml:6: " + name + ": expected false, got \"true\""));
  EXPECT_THAT(refused.error, HasSubstr("it decides whether nodes are compared"));
  const ProgramEnd ended = run("", {"--ignore-unsupported"});
  ASSERT_EQ(ended.exit_code, 0) << ended.error;
  EXPECT_THAT(ended.error, HasSubstr(name + ": IS NOT OBEYED: it decides"));
  const auto settings = RunFolder::load(replay()).description.scheduler_settings;
  EXPECT_THAT(settings, testing::Contains(testing::Pair("ignore_unsupported", "true")));
  const ProgramEnd again = tracebed_program({"replay-log", replay().string()});
  EXPECT_EQ(again.exit_code, 0) << again.error;
}

TEST_F(Queues, MappingRulesPlaceJobsAndAreKeptWithTheRun) {
  std::string mapped = queues(75, 25);
  const auto property = [](const std::string& name, const std::string& value) {
    return "<property><name>yarn.scheduler.capacity." + name + "</name><value>" + value +
           "</value></property>\n";
  };
  mapped.insert(mapped.rfind("</configuration>"),
                property("mapping-rule-format", "json") +
                    property("mapping-rule-json-file", "rules.json") +
                    property("queue-mappings-override.enable", "true"));
  folder_.write("queues.xml", mapped);
  const auto place_in = [&](const std::string& queue) {
    folder_.write("rules.json", R"({"rules": [{"type": "user", "matches": "*", "policy": "custom",
                                              "customPlacement": ")" +
                                    queue + "\"}]}");
  };
  place_in("root.c");
  const ProgramEnd refused = run("");
  EXPECT_EQ(refused.exit_code, 3);
  EXPECT_THAT(refused.error, HasSubstr("rules.json, rule 1: expected a leaf queue"));
  place_in("b");
  const ProgramEnd end = run("");
  ASSERT_EQ(end.exit_code, 0) << end.error;
  const std::string jobs = contents(replay() / "jobs.csv");
  EXPECT_THAT(jobs, testing::AllOf(HasSubstr("root.b"), testing::Not(HasSubstr("root.a"))));
  std::filesystem::remove(folder_.path() / "rules.json");
  const ProgramEnd again = tracebed_program({"replay-log", replay().string()});
  EXPECT_EQ(again.exit_code, 0) << again.error;
  EXPECT_THAT(again.out, HasSubstr("decided the same"));
}

TEST_F(Queues, ARunKeepsItsFilesAndIsDecidedAgainWithoutTheOriginals) {
  const ProgramEnd end = run("");
  ASSERT_EQ(end.exit_code, 0) << end.error;
  EXPECT_THAT(end.error, HasSubstr("root.a.colour: is unknown here and is ignored"));
  const RunFolder record = RunFolder::load(replay());
  const auto& settings = record.description.scheduler_settings;
  const auto config = std::find_if(settings.begin(), settings.end(),
                                   [](const auto& setting) { return setting.first == "config"; });
  ASSERT_NE(config, settings.end());
  EXPECT_THAT(config->second, HasSubstr("scheduler-files/config."));
  EXPECT_TRUE(std::filesystem::exists(replay() / config->second));
  std::filesystem::remove(folder_.path() / "queues.xml");
  const ProgramEnd again = tracebed_program({"replay-log", replay().string()});
  EXPECT_EQ(again.exit_code, 0) << again.error;
  EXPECT_THAT(again.out, HasSubstr("decided the same"));
}

TEST_F(Queues, ARefreshInMidRunShowsInTheSharesOfTheQueues) {
  const ProgramEnd end = run("[[refresh]]\nat = \"200s\"\nconfig = \"later.xml\"\n");
  ASSERT_EQ(end.exit_code, 0) << end.error;
  EXPECT_THAT(end.error,
              HasSubstr("at 3:20 of the trace the scheduler loaded another configuration"));
  const QueueSeries series = RunFolder::load(replay()).queue_series;
  ASSERT_THAT(series.queues, ::testing::UnorderedElementsAre("root.a", "root.b"));
  const auto entitled_of_a = [&](const QueueSample& sample) {
    for (const QueueState& leaf : sample.leaves) {
      if (series.queues[leaf.queue] == "root.a") return leaf.entitled.memory_mib();
    }
    return std::int64_t{-1};
  };
  for (const QueueSample& sample : series.samples) {
    EXPECT_EQ(entitled_of_a(sample), sample.at < trace_time(200'000'000) ? 6144 : 2048)
        << to_microseconds(sample.at);
  }
  // The log alone is enough to decide it again, refresh and all.
  std::filesystem::remove(folder_.path() / "later.xml");
  std::filesystem::remove_all(replay() / "nothing");
  EXPECT_THAT(tracebed_program({"replay-log", replay().string()}).out,
              HasSubstr("decided the same"));
}

TEST_F(Queues, TheResourceManagersPageIsKeptAsItStoodWhenTheClusterWasFullest) {
  const ProgramEnd end = run("");
  ASSERT_EQ(end.exit_code, 0) << end.error;
  const QueuePage page = RunFolder::load(replay()).end.queue_page;
  EXPECT_EQ(page.queues_in_all, 3u);
  ASSERT_EQ(page.queues.size(), 3u);
  EXPECT_EQ(page.queues[0].path, "root");
  EXPECT_EQ(page.queues[1].path, "root.a");
  EXPECT_EQ(page.queues[2].path, "root.b");
  EXPECT_EQ(page.used_share, 1);
  EXPECT_TRUE(is_resource_managers(page));
  for (const ShownQueue& queue : page.queues) {
    std::vector<std::string> names;
    for (const auto& [name, value] : queue.figures) {
      names.push_back(name);
      EXPECT_FALSE(value.empty()) << name;
    }
    // Of a parent, those that are not about applications and users.
    EXPECT_EQ(names.size(), queue.is_leaf ? 16u : 8u) << queue.path;
    if (!queue.is_leaf) continue;
    EXPECT_THAT(names, ::testing::ElementsAreArray(test::page_labels()));
  }
  const auto& [name, value] = page.queues[1].figures[2];
  EXPECT_EQ(name, "Absolute Capacity");
  EXPECT_EQ(value, "75.0%");
  const std::string html = contents(folder_.path() / "runs/report.html");
  EXPECT_THAT(html, HasSubstr("\"Max Active Applications Per User\""));
}

TEST_F(Queues, ARefreshThatCannotBeIsFoundBeforeTheRun) {
  const ProgramEnd end = run("[[refresh]]\nat = \"200s\"\nconfig = \"wrong.xml\"\n");
  EXPECT_EQ(end.exit_code, 3);
  EXPECT_THAT(end.error, HasSubstr("wrong.xml"));
}

TEST_F(Queues, AbsoluteAmountsAreNotScaled) {
  folder_.write("queues.xml",
                "<configuration><property><name>yarn.scheduler.capacity.root.queues</name>"
                "<value>a</value></property><property>"
                "<name>yarn.scheduler.capacity.root.a.capacity</name>"
                "<value>[memory=8192,vcores=4]</value></property></configuration>");
  const ProgramEnd end = run("[scale]\nmemory = 2\n");
  EXPECT_EQ(end.exit_code, 3);
  EXPECT_THAT(end.error, HasSubstr("is an absolute amount"));
}

}  // namespace
}  // namespace tracebed
