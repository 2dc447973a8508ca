// mapred-site.xml as settings of job masters. Figures are worked by hand.
#include "coordinator/resolving/mapred_site.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>

#include "coordinator/config/xml_file.h"
#include "support/hadoop_file.h"

namespace tracebed {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

using Lines = std::vector<std::pair<std::string, std::string>>;
using Texts = std::map<std::string, std::string>;

XmlElement file_of(const Lines& lines) {
  return parse_xml(test::hadoop_file(lines), "mapred-site.xml");
}

MapredSite read(const Lines& lines, MapredGeneration generation = MapredGeneration::hadoop_3) {
  auto site = read_mapred_site(file_of(lines), generation);
  EXPECT_TRUE(site) << (site ? "" : site.error().message);
  return site ? *std::move(site) : MapredSite();
}

Texts texts(const std::vector<Setting>& settings) {
  Texts by_key;
  for (const Setting& setting : settings) {
    EXPECT_TRUE(by_key.emplace(setting.key, setting.value).second) << setting.key;
  }
  return by_key;
}

std::string error_of(const Lines& lines) {
  const auto site = read_mapred_site(file_of(lines), MapredGeneration::hadoop_3);
  return site ? "" : site.error().message;
}

// The analysis' table 6.1: containers of 512 MiB whose JVMs get the administrator's -Xmx500m, as
// the user's options are there and empty; masters of 1024 MiB.
// Proves: A6.1.tasks, A6.1.options
TEST(MapredSite, IsFollowedAsTheTableOfTheAnalysisHasIt) {
  const Lines table = {{"yarn.app.mapreduce.am.resource.mb", "1024"},
                       {"mapreduce.map.memory.mb", "512"},
                       {"mapreduce.reduce.memory.mb", "512"},
                       {"mapreduce.map.java.opts", ""},
                       {"mapreduce.reduce.java.opts", ""},
                       {"mapreduce.admin.map.child.java.opts", "-Xmx500m"},
                       {"mapreduce.admin.reduce.child.java.opts", "-Xmx500m"}};
  const Texts masters = {{"map_memory_mib", "512"},
                         {"map_heap_mib", "500"},
                         {"reduce_memory_mib", "512"},
                         {"reduce_heap_mib", "500"}};
  for (const auto generation : {MapredGeneration::hadoop_2, MapredGeneration::hadoop_3}) {
    const MapredSite site = read(table, generation);
    EXPECT_EQ(texts(site.masters), masters);
    EXPECT_EQ(texts(site.container), (Texts{{"memory", "1024"}}));
    EXPECT_EQ(texts(site.rules),
              (Texts{{"swim.map_memory_mib", "512"}, {"swim.reduce_memory_mib", "512"}}));
    EXPECT_THAT(site.remarks, IsEmpty());
    EXPECT_EQ(site.masters.front().where, "mapred-site.xml:2: mapreduce.map.memory.mb");
  }
}

// A heap of 400 MiB is enough for 500, less than the container has; 200 MiB, Hadoop 2.0's default,
// for 250.
TEST(MapredSite, HasSwimsTasksTouchNoMoreThanTheirHeapsAllow) {
  const MapredSite site = read({{"mapreduce.map.memory.mb", "700"},
                                {"mapreduce.reduce.memory.mb", "512"},
                                {"mapreduce.map.java.opts", "-Xmx400m"}},
                               MapredGeneration::hadoop_2);
  EXPECT_EQ(texts(site.masters), (Texts{{"map_memory_mib", "700"},
                                        {"map_heap_mib", "400"},
                                        {"reduce_memory_mib", "512"},
                                        {"reduce_heap_mib", "200"}}));
  EXPECT_EQ(texts(site.rules),
            (Texts{{"swim.map_memory_mib", "500"}, {"swim.reduce_memory_mib", "250"}}));
}

struct HeapCase {
  const char* what;
  Lines lines;
  Texts in_2;  // of maps
  Texts in_3;
};

// Proves: A6.1.heap, A6.1.options
TEST(MapredSite, WorksHeapAndMemoryOutAsEachGenerationDoes) {
  const std::string memory = "mapreduce.map.memory.mb";
  const std::string options = "mapreduce.map.java.opts";
  const std::string admin = "mapreduce.admin.map.child.java.opts";
  const std::string ratio = "mapreduce.job.heap.memory-mb.ratio";
  const auto sizes = [](const char* mib, const char* heap) {
    Texts all;
    if (*mib != '\0') all["map_memory_mib"] = mib;
    if (*heap != '\0') all["map_heap_mib"] = heap;
    return all;
  };
  for (const HeapCase& test : std::vector<HeapCase>{
           {"nothing", {}, sizes("", ""), sizes("", "")},
           {"memory: -Xmx200m, or 0.8 of it, up",
            {{memory, "1024"}},
            sizes("1024", "200"),
            sizes("1024", "820")},
           {"a heap: memory as the trace has it, or by 0.8",
            {{options, "-Xmx820m"}},
            sizes("", "820"),
            sizes("1025", "820")},
           {"both",
            {{memory, "1024"}, {options, "-server -Xmx600m"}},
            sizes("1024", "600"),
            sizes("1024", "600")},
           {"no memory by name",
            {{memory, "-1"}, {options, "-Xmx1g"}},
            sizes("", "1024"),
            sizes("1280", "1024")},
           {"options without a heap",
            {{memory, "1024"}, {options, "-server"}},
            sizes("1024", ""),
            sizes("1024", "820")},
           {"the user's come last",
            {{memory, "1024"}, {admin, "-Xmx500m"}, {options, "-Xmx300m"}},
            sizes("1024", "300"),
            sizes("1024", "300")},
           {"and so does the default of 2.0",
            {{memory, "1024"}, {admin, "-Xmx500m"}},
            sizes("1024", "200"),
            sizes("1024", "500")},
           {"of all tasks",
            {{memory, "1024"}, {"mapred.child.java.opts", "-Xmx400m"}},
            sizes("1024", "400"),
            sizes("1024", "400")},
           {"of maps before those of all",
            {{memory, "1024"}, {"mapred.child.java.opts", "-Xmx400m"}, {options, "-Xmx700m"}},
            sizes("1024", "700"),
            sizes("1024", "700")},
           {"old names",
            {{"mapred.job.map.memory.mb", "2048"}, {"mapred.map.child.java.opts", "-Xmx1g"}},
            sizes("2048", "1024"),
            sizes("2048", "1024")},
           {"another ratio",
            {{ratio, "0.5"}, {memory, "1000"}},
            sizes("1000", "200"),
            sizes("1000", "500")}}) {
    for (const auto generation : {MapredGeneration::hadoop_2, MapredGeneration::hadoop_3}) {
      Texts got = texts(read(test.lines, generation).masters);
      std::erase_if(got, [](const auto& entry) { return !entry.first.starts_with("map_"); });
      EXPECT_EQ(got, generation == MapredGeneration::hadoop_2 ? test.in_2 : test.in_3)
          << test.what << ", " << static_cast<int>(generation);
    }
  }
}

TEST(MapredSite, FillsTheOtherSettingsOfMasters) {
  const MapredSite site =
      read({{"mapreduce.map.maxattempts", "3"},
            {"mapred.reduce.max.attempts", "5"},
            {"mapreduce.job.reduce.slowstart.completedmaps", "0.8"},
            {"yarn.app.mapreduce.am.job.reduce.rampup.limit", "0.25"},
            {"yarn.app.mapreduce.am.job.reduce.preemption.limit", "0.75"},
            {"mapreduce.job.reducer.preempt.delay.sec", "2"},
            {"mapreduce.job.reducer.unconditional-preempt.delay.sec", "60"},
            {"yarn.app.mapreduce.am.preemption.policy",
             "org.apache.hadoop.mapreduce.v2.app.rm.preemption.KillAMPreemptionPolicy"},
            {"mapreduce.map.cpu.vcores", "2"},
            {"mapreduce.reduce.cpu.vcores", "4"},
            {"mapreduce.job.heap.memory-mb.ratio", "0.7"},
            {"yarn.app.mapreduce.am.resource.cpu-vcores", "2"},
            {"mapreduce.am.max-attempts", "4"},
            {"yarn.app.mapreduce.am.scheduler.heartbeat.interval-ms", "500"}});
  EXPECT_EQ(texts(site.masters), (Texts{{"map_attempts", "3"},
                                        {"reduce_attempts", "5"},
                                        {"slow_start", "0.8"},
                                        {"reduce_ramp_up_limit", "0.25"},
                                        {"reduce_preemption_limit", "0.75"},
                                        {"reduce_preemption_delay_ms", "2000"},
                                        {"unconditional_preemption_delay_ms", "60000"},
                                        {"preemption.policy", "hadoop_kill"},
                                        {"map_milli_vcores", "2000"},
                                        {"reduce_milli_vcores", "4000"},
                                        {"heap_share", "0.7"},
                                        {"heartbeat_ms", "500"}}));
  EXPECT_EQ(texts(site.container),
            (Texts{{"vcores", "2000"}, {"attempts", "4"}, {"heartbeat", "500"}}));
  EXPECT_EQ(texts(site.rules), (Texts{{"swim.map_vcores", "2"}, {"swim.reduce_vcores", "4"}}));
  EXPECT_THAT(site.remarks, IsEmpty());
}

TEST(MapredSite, TellsWhatIsNotFollowedAndWhatLeavesNoRoom) {
  const MapredSite site = read({{"mapreduce.map.memory.mb", "512"},
                                {"mapreduce.map.java.opts", "-Xmx512m"},
                                {"yarn.app.mapreduce.am.command-opts", "-Xmx1536m"},
                                {"mapreduce.map.speculative", "true"},
                                {"mapreduce.task.io.sort.mb", "100"},
                                {"mapreduce.jobhistory.address", "0.0.0.0:10020"},
                                {"hadoop.tmp.dir", "/tmp"}});
  EXPECT_THAT(
      site.remarks,
      ElementsAre("mapred-site.xml:2: mapreduce.map.java.opts: a heap of 512 MiB leaves no memory "
                  "for the rest of the JVM in a container of 512 MiB",
                  "mapred-site.xml:3: yarn.app.mapreduce.am.command-opts: a heap of 1536 MiB "
                  "leaves no memory for the rest of the JVM in a container of 1536 MiB",
                  "mapred-site.xml:3: yarn.app.mapreduce.am.command-opts: is ignored: the memory "
                  "of a master's process is not limited by it",
                  "mapred-site.xml:4: mapreduce.map.speculative: is ignored: "
                  "masters.speculation.policy selects the rule",
                  "mapred-site.xml:5: mapreduce.task.io.sort.mb: is unknown here and is ignored"));
}

TEST(MapredSite, IsRefusedWithFileLinePropertyAndWhatCame) {
  EXPECT_EQ(error_of({{"mapreduce.map.memory.mb", "512"}, {"mapreduce.map.java.opts", "-Xmx 5g"}}),
            "mapred-site.xml:2: mapreduce.map.java.opts: expected -Xmx with at least 1m: a whole "
            "number with k, m, g or nothing behind it, got \"-Xmx 5g\"");
  EXPECT_THAT(error_of({{"mapreduce.map.memory.mb", "much"}}),
              StartsWith("mapred-site.xml:1: mapreduce.map.memory.mb: expected a whole number"));
  EXPECT_THAT(error_of({{"mapreduce.job.heap.memory-mb.ratio", "1.5"}}), HasSubstr("got \"1.5\""));
  EXPECT_THAT(error_of({{"mapreduce.job.reduce.slowstart.completedmaps", "2"}}),
              HasSubstr("a number from 0 to 1"));
  EXPECT_THAT(error_of({{"mapreduce.map.maxattempts", "0"}}), HasSubstr("from 1 to 1000000"));
  EXPECT_THAT(error_of({{"yarn.app.mapreduce.am.resource.mb", "0"}}), HasSubstr("from 1 to"));
  EXPECT_THAT(error_of({{"yarn.app.mapreduce.am.preemption.policy", "Mine"}}),
              HasSubstr("NoopAMPreemptionPolicy"));
}

}  // namespace
}  // namespace tracebed
