#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "coordinator/cli/program.h"
#include "schedulers/yarn/configuration/yarn_site.h"
#include "support/hadoop_file.h"
#include "support/schedulers.h"

namespace tracebed {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;

TEST(SchedulersCommand, ListsEverySchedulerWithItsSettings) {
  const ProgramEnd text = tracebed_program({"schedulers"});
  EXPECT_EQ(text.exit_code, 0);
  const nlohmann::json json = nlohmann::json::parse(tracebed_program({"schedulers", "--json"}).out);
  ASSERT_EQ(json.at("schedulers").size(), test::schedulers().size());
  std::size_t position = 0;
  for (const SchedulerEntry& entry : test::schedulers()) {
    const nlohmann::json& listed = json.at("schedulers")[position++];
    EXPECT_EQ(listed.at("name"), entry.name);
    const std::size_t files = takes_yarn_site(entry) ? 1 : 0;  // yarn_site
    EXPECT_EQ(listed.at("settings").size(), entry.settings.size() + files);
    EXPECT_THAT(text.out, HasSubstr(std::string(entry.name) + "\n    "));
    for (const SettingDescription& setting : entry.settings) {
      EXPECT_THAT(text.out, HasSubstr(std::string(setting.name) + " = "));
    }
  }
  EXPECT_FALSE(json.at("masters").empty());
}

TEST(ExplainCommand, ShowsWhatACapacityFileMeansOnACluster) {
  const TemporaryFolder folder;
  const auto property = [](const std::string& name, const std::string& value) {
    return "<property><name>yarn.scheduler.capacity." + name + "</name><value>" + value +
           "</value></property>\n";
  };
  const std::string file =
      folder
          .write("capacity-scheduler.xml",
                 "<configuration>\n" + property("root.queues", "a,b") +
                     property("root.a.capacity", "75") + property("root.b.capacity", "25") +
                     property("root.a.colour", "red") + "</configuration>")
          .string();
  const std::vector<std::string> arguments = {"schedulers", "explain",  file,   "--nodes",
                                              "10",         "--memory", "4 GiB"};
  const ProgramEnd text = tracebed_program(arguments);
  EXPECT_EQ(text.exit_code, 0);
  EXPECT_THAT(text.out, HasSubstr("root.a\n"));
  EXPECT_THAT(text.out, HasSubstr("the parent's × capacity: 100.0% × 75.0%"));
  EXPECT_THAT(
      text.error,
      HasSubstr(
          "capacity-scheduler.xml:5: yarn.scheduler.capacity.root.a.colour: is unknown here"));
  std::vector<std::string> as_json = arguments;
  as_json.emplace_back("--json");
  const nlohmann::json json = nlohmann::json::parse(tracebed_program(as_json).out);
  EXPECT_EQ(json.at("scheduler"), "capacity");
  EXPECT_EQ(json.at("queues")[1].at("path"), "root.a");
  EXPECT_EQ(json.at("passed_over").size(), 1u);
}

TEST(ExplainCommand, KnowsAnAllocationFileByItsRoot) {
  const TemporaryFolder folder;
  const auto file = folder.write("fair.xml", "<allocations><queue name='a'/></allocations>");
  const ProgramEnd text = tracebed_program({"schedulers", "explain", file.string()});
  EXPECT_EQ(text.exit_code, 0);
  EXPECT_THAT(text.out, HasSubstr("Steady Fair Share"));
}

TEST(ExplainCommand, KnowsTheResourcesThatItIsTold) {
  const TemporaryFolder folder;
  const std::string file =
      folder
          .write("fair.xml",
                 "<allocations><queue name='a'>"
                 "<maxResources>memory-mb=2048, vcores=2, gpu=20</maxResources></queue>"
                 "</allocations>")
          .string();
  const std::vector<std::string> words = {"schedulers", "explain", file};
  EXPECT_EQ(tracebed_program(words).exit_code, 3) << "there is no gpu";
  const auto with = [&](const std::vector<std::string>& given) {
    std::vector<std::string> all = words;
    for (const std::string& each : given) all.insert(all.end(), {"--resource", each});
    return tracebed_program(all);
  };
  const ProgramEnd known = with({"disk=3", "gpu=4"});
  EXPECT_EQ(known.exit_code, 0) << known.error;
  EXPECT_THAT(known.out, HasSubstr("gpu: 20"));
  for (const char* wrong : {"gpu", "gpu=", "gpu=x", "gpu=-1", "=4", "memory=4"}) {
    EXPECT_EQ(with({wrong}).exit_code, 3) << wrong;
  }
  EXPECT_EQ(with({"gpu=4", "gpu=4"}).exit_code, 3);
}

TEST(ExplainCommand, KnowsTheFilesOfHadoopOneByTheirWords) {
  const TemporaryFolder folder;
  const std::string pools =
      folder
          .write("pools.xml",
                 "<allocations><pool name='a'><minMaps>5</minMaps></pool></allocations>")
          .string();
  const std::vector<std::string> words = {
      "schedulers", "explain", pools, "--nodes", "10", "--map-slots", "4", "--reduce-slots", "2"};
  const ProgramEnd text = tracebed_program(words);
  EXPECT_EQ(text.exit_code, 0) << text.error;
  EXPECT_THAT(text.out, HasSubstr("Fair Share (map)"));
  EXPECT_THAT(text.out, HasSubstr("the 40 slots"));
  EXPECT_THAT(text.out, HasSubstr("the 20 slots"));
  const std::string queues =
      folder
          .write("queues.xml",
                 "<configuration><property><name>mapred.capacity-scheduler.queue.default."
                 "guaranteed-capacity</name><value>100</value></property></configuration>")
          .string();
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"schedulers", "explain", queues});
    return tracebed_program(more);
  };
  EXPECT_THAT(with({}).out, HasSubstr("Reclaim Time Limit"));
  EXPECT_EQ(with({"--generation", "1.x"}).exit_code, 3) << "1.x wants capacity";
  EXPECT_THAT(with({"--generation", "2"}).error,
              HasSubstr("setting generation: expected one of 0.20.0, 0.20.2, 1.x, got \"2\""));
  const ProgramEnd as_yarns = with({"--scheduler", "capacity"});
  EXPECT_EQ(as_yarns.exit_code, 3);
  EXPECT_THAT(as_yarns.error, HasSubstr("expected the names of the root's queues"));
  EXPECT_THAT(
      with({"--scheduler", "capacity", "--generation", "1.x"}).error,
      HasSubstr("--generation: expected a file that the setting generation changes, got one "
                "of capacity's"));
}

TEST(ExplainCommand, NamesTheFlagForAResourceThatAFileNames) {
  const TemporaryFolder folder;
  const std::string prefix = "yarn.scheduler.capacity.root.";
  const std::string queues =
      folder
          .write("queues.xml",
                 test::hadoop_file({{prefix + "queues", "a"},
                                    {prefix + "a.capacity", "[memory=1024,vcores=1,gpu=10]"}}))
          .string();
  const std::string pools =
      folder
          .write("pools.xml",
                 "<allocations><queue name=\"a\"><maxResources>memory-mb=1024, vcores=8, gpu=10"
                 "</maxResources></queue></allocations>")
          .string();
  for (const std::string& file : {queues, pools}) {
    const ProgramEnd end = tracebed_program({"schedulers", "explain", file});
    EXPECT_EQ(end.exit_code, 3);
    EXPECT_THAT(end.error, HasSubstr("expected amounts of vcores, memory; machines have no "
                                     "resource gpu, got \""));
    EXPECT_THAT(end.error, HasSubstr("; --resource gpu=AMOUNT says how much of it a machine has"));
    EXPECT_EQ(tracebed_program({"schedulers", "explain", file, "--resource", "gpu=2"}).exit_code,
              0);
  }
}

TEST(ExplainCommand, TakesSettingsOfPreemptionOverTheFile) {
  const TemporaryFolder folder;
  const std::string prefix = "yarn.scheduler.capacity.root.";
  const std::string file =
      folder
          .write("queues.xml",
                 test::hadoop_file({{prefix + "queues", "a"}, {prefix + "a.capacity", "100"}}))
          .string();
  const auto with = [&](const std::string& setting) {
    return tracebed_program({"schedulers", "explain", file, "--set", setting});
  };
  EXPECT_THAT(tracebed_program({"schedulers", "explain", file}).out,
              ContainsRegex("Preemption +off"));
  EXPECT_THAT(with("preemption.enabled=true").out, ContainsRegex("Preemption +on"));
  EXPECT_THAT(with("preemption.total_preemption_per_round=0.3").out,
              ContainsRegex("Preemption Per Round +30.0%"));
  EXPECT_THAT(
      with("preemption.enabled=perhaps").error,
      HasSubstr("setting preemption.enabled: yarn.resourcemanager.scheduler.monitor.enable: "
                "expected true or false, got \"perhaps\""));
  EXPECT_EQ(with("preemption.delivery=post").exit_code, 3);
}

TEST(ExplainCommand, SaysWhyASettingOfRunsExplainsNothing) {
  const TemporaryFolder folder;
  const std::string file =
      folder.write("pools.xml", "<allocations><queue name=\"a\"/></allocations>").string();
  const ProgramEnd of_runs =
      tracebed_program({"schedulers", "explain", file, "--set", "preemption.enabled=true"});
  EXPECT_EQ(of_runs.exit_code, 3);
  EXPECT_THAT(of_runs.error,
              HasSubstr("--set: expected a setting that changes what a file of fair means "
                        "(semantics, inheritance, nested_user_queue, "
                        "queue_policies), got preemption.enabled, which "
                        "decides only what happens in a run"));
  const ProgramEnd unknown =
      tracebed_program({"schedulers", "explain", file, "--set", "colour=red"});
  EXPECT_THAT(unknown.error, HasSubstr("--set: expected a file that the setting colour changes"));
}

TEST(ExplainCommand, RefusesWhatItCannotUse) {
  const TemporaryFolder folder;
  const std::string file = folder.write("x.xml", "<configuration/>").string();
  const ProgramEnd no_queues = tracebed_program({"schedulers", "explain", file});
  EXPECT_EQ(no_queues.exit_code, 3);
  EXPECT_THAT(no_queues.error, HasSubstr("expected the names of the root's queues"));
  EXPECT_EQ(tracebed_program({"schedulers", "explain", file, "--memory", "x"}).exit_code, 3);
  EXPECT_EQ(tracebed_program({"schedulers", "explain", file, "--semantics", "1"}).exit_code, 2);
  EXPECT_EQ(tracebed_program({"schedulers", "explain"}).exit_code, 2);
}

}  // namespace
}  // namespace tracebed
