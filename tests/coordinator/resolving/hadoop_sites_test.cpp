// The files of Hadoop's that [masters] and [node_manager] name, in an experiment.
#include "coordinator/resolving/hadoop_sites.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>

#include "applications/map_reduce/java_heap.h"
#include "coordinator/config/load_experiment.h"
#include "coordinator/resolving/resolved_experiment.h"
#include "core/input_error.h"
#include "support/hadoop_file.h"
#include "support/schedulers.h"
#include "support/temporary_folder.h"
#include "traces/scale_model.h"

namespace tracebed {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class HadoopSites : public testing::Test {
 protected:
  // With these lines at the end of the experiment.
  Experiment experiment(const std::string& lines) {
    folder_.write("jobs.tsv", "job0\t0\t0\t10\t0\t10\n");
    folder_.write("mine.toml",
                  "name = \"x\"\nworld = \"virtual\"\nschedulers = [\"fifo\"]\n" + root_ +
                      "[trace]\nfile = \"jobs.tsv\"\n[cluster]\nnodes = 2\nvcores = 2\nmemory = "
                      "\"8 GiB\"\n" +
                      lines + "\n");
    return load_experiment(folder_.path() / "mine.toml", std::nullopt, {});
  }
  void write_site(const std::string& name,
                  const std::vector<std::pair<std::string, std::string>>& lines) {
    folder_.write(name, test::hadoop_file(lines));
  }
  static std::map<std::string, std::string> texts(const std::vector<Setting>& settings) {
    std::map<std::string, std::string> by_key;
    for (const Setting& setting : settings) by_key[setting.key] = setting.value;
    return by_key;
  }
  std::string fault_of(const std::string& lines) {
    try {
      (void)resolve(test::schedulers(), experiment(lines));
    } catch (const InputError& error) {
      const std::string text = error.what();
      return text.substr(text.find("mine.toml"));
    }
    return "none";
  }

  TemporaryFolder folder_;
  std::string root_;
};

TEST_F(HadoopSites, FillWhatTheExperimentLeavesOpenAtTheSizeOfTheRun) {
  write_site("mapred-site.xml", {{"mapreduce.map.memory.mb", "1000"},
                                 {"mapreduce.reduce.memory.mb", "2000"},
                                 {"mapreduce.map.maxattempts", "7"},
                                 {"yarn.app.mapreduce.am.resource.mb", "3000"},
                                 {"yarn.app.mapreduce.am.resource.cpu-vcores", "2"}});
  root_ = "am = \"container\"\n";
  const ResolvedExperiment resolved =
      resolve(test::schedulers(),
              experiment("[scale]\nmemory = 10\n[masters]\nmapred_site = \"mapred-site.xml\"\n"
                         "map_attempts = 2\nreduce_memory_mib = 4000\n"
                         "[master_container]\nmemory = \"4000 MiB\"\n"));
  const auto masters = texts(resolved.masters.settings);
  const std::map<std::string, std::string> expected = {{"map_memory_mib", "100"},
                                                       {"map_heap_mib", "80"},
                                                       {"reduce_memory_mib", "400"},
                                                       {"map_attempts", "2"}};
  for (const auto& [key, value] : expected) EXPECT_EQ(masters.at(key), value) << key;
  EXPECT_EQ(resolved.masters.options.map_reduce.map_size.memory_mib(), 100);
  EXPECT_EQ(resolved.masters.containers->demand, Resources(2'000, 400));
  EXPECT_EQ(resolved.trace_options.rules.map_reduce.map_memory_mib, 1000)
      << "rules are scaled with the workload";
  EXPECT_THAT(resolved.remarks, IsEmpty());
}

// Of 512 MiB 410 are heap; divided by 64 they are 6, which are too few for the 8 MiB of a task.
TEST_F(HadoopSites, HaveHeapsThatAreEnoughAtEverySizeOfTheRun) {
  for (const int factor : {3, 10, 64}) {
    for (const std::int64_t memory : {200, 512, 1000, 1024, 1100, 1536, 3000}) {
      for (const float share : {0.5F, 0.8F}) {
        const ResolvedExperiment resolved =
            resolve(test::schedulers(),
                    experiment(fmt::format("[scale]\nmemory = {}\n[masters]\nheap_share = {}\n"
                                           "map_heap_mib = {}\nreduce_heap_mib = {}\n",
                                           factor, share, heap_of_memory(memory, share),
                                           heap_of_memory(2 * memory, share))));
        const MapReduceOptions& masters = resolved.masters.options.map_reduce;
        const auto fits = [&](std::int64_t mib, const HeapRule& heap) {
          TaskWork work{{.memory_mib = scale_down(mib, factor)}};
          cut_to_heap(heap, work);
          return !work.exhausts_heap;
        };
        EXPECT_TRUE(fits(memory, masters.map_heap)) << memory << " / " << factor;
        EXPECT_TRUE(fits(2 * memory, masters.reduce_heap)) << memory << " / " << factor;
        EXPECT_FALSE(fits(2 * memory, masters.map_heap)) << memory << " / " << factor;
      }
    }
  }
}

TEST_F(HadoopSites, TellThatMastersWithoutContainersTakeNoRoom) {
  write_site("mapred-site.xml", {{"yarn.app.mapreduce.am.resource.mb", "3000"}});
  const ResolvedExperiment resolved =
      resolve(test::schedulers(), experiment("[masters]\nmapred_site = \"mapred-site.xml\"\n"));
  EXPECT_THAT(resolved.remarks, ElementsAre(HasSubstr("masters use no resources")));
}

TEST_F(HadoopSites, NameTheExperimentsLineAndTheFilesWhenTheyAreWrong) {
  write_site("mapred-site.xml", {{"mapreduce.map.memory.mb", "-2"}});
  const std::string masters = "[masters]\nmapred_site = \"mapred-site.xml\"\n";
  EXPECT_THAT(fault_of(masters), testing::StartsWith("mine.toml:11: masters.mapred_site: "));
  EXPECT_THAT(fault_of(masters), HasSubstr("mapred-site.xml:1: mapreduce.map.memory.mb: expected"));
  EXPECT_THAT(fault_of("[masters]\nmapred_site = \"none.xml\"\n"), HasSubstr("none.xml"));
  EXPECT_THAT(fault_of("[masters]\nmapred_semantics = \"hadoop-2.0\"\n"),
              HasSubstr("expected mapred_site to be set, too"));
  EXPECT_THAT(fault_of(masters + "mapred_semantics = \"old\"\n"),
              HasSubstr("expected hadoop-3 or hadoop-2.0, got \"old\""));
  EXPECT_THAT(fault_of("[node_manager]\nvirtual_memory_ratio = 0.5\n"),
              HasSubstr("virtual_memory_ratio: expected a number from 1"));
  EXPECT_THAT(fault_of("[node_manager]\nratio = 2\n"), HasSubstr("no setting \"ratio\""));
}

// Proves: A6.1.virtual-memory
TEST_F(HadoopSites, YarnsVirtualMemoryIsCheckedWhereItsFileIsNamed) {
  EXPECT_FALSE(resolve(test::schedulers(), experiment("")).memory_check.is_on());
  write_site("yarn-site.xml", {{"yarn.nodemanager.local-dirs", "/tmp"}});
  const std::string table = "[node_manager]\nyarn_site = \"yarn-site.xml\"\n";
  const auto check = [&](const std::string& lines) {
    const ResolvedExperiment resolved = resolve(test::schedulers(), experiment(lines));
    EXPECT_THAT(resolved.remarks, IsEmpty());
    return resolved.memory_check;
  };
  EXPECT_EQ(check(table).ratio, 2.1);
  EXPECT_EQ(check(table).factor, 1);
  EXPECT_EQ(check(table).interval, seconds(3));
  write_site("yarn-site.xml", {{"yarn.nodemanager.vmem-pmem-ratio", "4.0"},
                               {"yarn.nodemanager.resource-monitor.interval-ms", "500"}});
  EXPECT_EQ(check(table).ratio, 4);
  EXPECT_EQ(check(table).interval, milliseconds(500));
  EXPECT_EQ(check(table + "virtual_memory_ratio = 3\n").ratio, 3);
  EXPECT_FALSE(check(table + "virtual_memory_check = false\n").is_on());
  write_site("yarn-site.xml", {{"yarn.nodemanager.vmem-check-enabled", "false"}});
  EXPECT_FALSE(check(table).is_on());
  write_site("yarn-site.xml", {{"yarn.nodemanager.container-monitor.enabled", "false"}});
  EXPECT_FALSE(check(table).is_on());
}

TEST_F(HadoopSites, APhysicalCheckThatIsSwitchedOffIsNotFollowed) {
  write_site("yarn-site.xml", {{"yarn.nodemanager.pmem-check-enabled", "false"},
                               {"yarn.nodemanager.elastic-memory-control.enabled", "true"}});
  const ResolvedExperiment resolved =
      resolve(test::schedulers(), experiment("[node_manager]\nyarn_site = \"yarn-site.xml\"\n"));
  EXPECT_THAT(
      resolved.remarks,
      ElementsAre(HasSubstr("pmem-check-enabled: is ignored: no container can exceed its memory"),
                  HasSubstr("elastic-memory-control.enabled: is unknown here")));
}

}  // namespace
}  // namespace tracebed
