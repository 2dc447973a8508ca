// What of a [storage] table is refused, what [scale] makes of it, and how a run record keeps it.
#include "coordinator/resolving/resolved_storage.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "coordinator/config/load_experiment.h"
#include "coordinator/resolving/namenode_settings.h"
#include "coordinator/resolving/resolved_experiment.h"
#include "core/input_error.h"
#include "support/schedulers.h"
#include "support/temporary_folder.h"

namespace tracebed {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class StorageTable : public testing::Test {
 protected:
  ResolvedExperiment resolved(const std::string& lines, const std::string& before = {}) {
    folder_.write("jobs.tsv", "job0\t0\t0\t10\t0\t10\n");
    folder_.write("mine.toml",
                  "name = \"x\"\nworld = \"local\"\nschedulers = [\"fifo\"]\n[trace]\nfile = "
                  "\"jobs.tsv\"\n[cluster]\nnodes = 2\nvcores = 2\nmemory = \"1 GiB\"\n" +
                      before + "[storage]\n" + lines + "\n");
    return resolve(test::schedulers(),
                   load_experiment(folder_.path() / "mine.toml", std::nullopt, {}));
  }
  std::string fault_of(const std::string& lines, const std::string& before = {}) {
    try {
      (void)resolved(lines, before);
    } catch (const InputError& error) {
      const std::string text = error.what();
      return text.substr(text.find("mine.toml") + 9);
    }
    return "none";
  }
  TemporaryFolder folder_;
};

TEST_F(StorageTable, IsHdfsByDefault) {
  const std::optional<ResolvedStorage> storage = resolved("").storage_options;
  ASSERT_TRUE(storage.has_value());
  const NamenodeOptions& namenode = storage->namenode;
  const NamenodeOptions hdfs;
  EXPECT_EQ(namenode.intervals.until_dead(), seconds(630));
  EXPECT_EQ(namenode.intervals.until_stale(), seconds(30));
  EXPECT_EQ(namenode.default_block_size, hdfs.default_block_size);
  EXPECT_EQ(namenode.leases.hard_limit, hdfs.leases.hard_limit);
  EXPECT_EQ(namenode.redundancy.transfer_timeout, hdfs.redundancy.transfer_timeout);
  EXPECT_EQ(namenode.limits.objects_max, hdfs.limits.objects_max);
  EXPECT_EQ(namenode.limits.directory_items_max, hdfs.limits.directory_items_max);
  EXPECT_EQ(namenode.limits.block_size_min, hdfs.limits.block_size_min);
  EXPECT_EQ(namenode.listing_max, hdfs.listing_max);
  EXPECT_EQ(namenode.retry_expiry, hdfs.retry_expiry);
  EXPECT_EQ(namenode.decommission_interval, hdfs.decommission_interval);
  EXPECT_EQ(namenode.safe_mode.extension, hdfs.safe_mode.extension);
  EXPECT_EQ(storage->datanodes, DatanodeOptions());
}

TEST_F(StorageTable, HasTheTimesOfClientsOnTheirClock) {
  const NamenodeOptions scaled = resolved("", "[scale]\ntime = 60\n").storage_options->namenode;
  EXPECT_EQ(scaled.leases.soft_limit, seconds(60 * 60));
  EXPECT_EQ(scaled.leases.hard_limit, seconds(60 * 20 * 60));
  EXPECT_EQ(scaled.report_wait, seconds(60 * 30));
  EXPECT_EQ(scaled.retry_expiry, seconds(60 * 600));
  EXPECT_EQ(scaled.intervals.heartbeat, seconds(3)) << "the trace's";
  EXPECT_EQ(scaled.intervals.until_dead(), seconds(630));
}

TEST_F(StorageTable, IsDividedByTheScaleOfData) {
  const ResolvedExperiment experiment = resolved(
      "block_size = \"64 MiB\"\ncapacity = \"10 GiB\"\ndisk_rate = \"100 MB/s\"\n"
      "network_rate = \"unlimited\"\nseek = \"5ms\"\nstore = \"disk\"\n"
      "socket_timeout = \"1500ms\"\nrack_rate = \"1 GB/s\"",
      "[scale]\ndata = 1000\n");
  const ResolvedStorage& storage = *experiment.storage_options;
  EXPECT_EQ(storage.namenode.default_block_size, 67'584);  // 132 chunks of 512 bytes
  EXPECT_EQ(storage.namenode.limits.block_size_min, 1'049);
  EXPECT_EQ(storage.datanodes.capacity, 10'737'418);
  EXPECT_EQ(storage.datanodes.disk_rate, 100'000);
  EXPECT_EQ(storage.datanodes.network_rate, std::nullopt);
  EXPECT_EQ(storage.datanodes.rack_rate, 1'000'000);
  EXPECT_EQ(storage.datanodes.seek, milliseconds(5));
  EXPECT_EQ(storage.datanodes.store, ReplicaStoreKind::disk);
  EXPECT_EQ(storage.datanodes.socket_timeout, std::chrono::milliseconds(1'500));
}

TEST_F(StorageTable, SpillsWhereItSaysSo) {
  EXPECT_EQ(resolved("shuffle = true").storage_options->namenode.shuffle->sort_bytes, 0);
  EXPECT_EQ(resolved("shuffle = true\nspills = true", "[scale]\ndata = 100\n")
                .storage_options->namenode.shuffle->sort_bytes,
            1'048'576);
  const auto own =
      resolved("shuffle = true\nspills = true\nsort_memory = \"1 MB\"").storage_options;
  EXPECT_EQ(own->namenode.shuffle->sort_bytes, 1'000'000);
  EXPECT_EQ(storage_of_record(to_record(own), "run.json")->namenode.shuffle, own->namenode.shuffle);
  EXPECT_EQ(fault_of("spills = true"), ":11: storage.spills: expected only with shuffle = true");
  EXPECT_EQ(fault_of("shuffle = true\nsort_memory = \"1 MB\""),
            ":12: storage.sort_memory: expected only with spills = true");
}

TEST_F(StorageTable, NamesTheResourceByWhichTasksShare) {
  EXPECT_EQ(resolved("").storage_options->namenode.transfer_weights, std::nullopt);
  const auto memory = resolved("transfer_weights = \"memory\"").storage_options;
  EXPECT_EQ(memory->namenode.transfer_weights, 1U);
  EXPECT_EQ(storage_of_record(to_record(memory), "run.json")->namenode.transfer_weights, 1U);
  EXPECT_EQ(resolved("transfer_weights = \"disk\"", "extra = { disk = 2 }\n")
                .storage_options->namenode.transfer_weights,
            2U);
  EXPECT_EQ(
      fault_of("transfer_weights = \"disk\""),
      ":11: storage.transfer_weights: expected a resource of the cluster (vcores, memory), got "
      "\"disk\"");
}

TEST_F(StorageTable, IsInRunRecords) {
  const auto storage =
      resolved(
          "replication = 2\nplacement = \"same_rack_second\"\noutput_replication = 2\n"
          "socket_timeout = \"12s\"\nrack_rate = \"7 MB/s\"\n"
          "[storage.namenode]\nheartbeat_interval_ms = 200\n"
          "safemode_threshold = 0.5\nreplication_min = 2",
          "[scale]\ndata = 7\n")
          .storage_options;
  const NamedTexts recorded = to_record(storage);
  const auto read = storage_of_record(recorded, "run.json");
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(to_record(read), recorded);
  EXPECT_EQ(read->datanodes, storage->datanodes);
  EXPECT_EQ(read->namenode.intervals.heartbeat, milliseconds(200));
  EXPECT_EQ(read->namenode.safe_mode.threshold, 0.5);
  EXPECT_EQ(read->namenode.placement_policy, "same_rack_second");
  EXPECT_EQ(read->namenode.replication_of_outputs, 2u);
  EXPECT_EQ(read->namenode.default_block_size, storage->namenode.default_block_size);
  EXPECT_EQ(storage_of_record({}, "run.json"), std::nullopt);
}

TEST_F(StorageTable, ThatARecordHasWrongIsRefused) {
  NamedTexts recorded = to_record(resolved("").storage_options);
  for (auto& [key, value] : recorded) {
    if (key == "writer") continue;  // any text may be the name of a machine
    NamedTexts damaged = recorded;
    for (auto& entry : damaged) {
      if (entry.first == key) entry.second = "?";
    }
    EXPECT_THROW((void)storage_of_record(damaged, "run.json"), InputError) << key;
  }
  recorded.emplace_back("namenode.frobnicate", "1");
  EXPECT_THROW((void)storage_of_record(recorded, "run.json"), InputError);
}

struct Defect {
  const char* lines;
  const char* message;
};

// [storage] is line 10.
TEST_F(StorageTable, IsRefusedWithPlaceAndReason) {
  const Defect defects[] = {
      {"replication = 0", ":11: storage.replication: expected a whole number from 1 to 512, got 0"},
      {"replication = 5\n[storage.namenode]\nreplication_max = 4",
       ":10: storage: replication: expected a number from namenode.replication_min to "
       "namenode.replication_max, 1 to 4, got 5"},
      {"output_replication = 513",
       ":11: storage.output_replication: expected a whole number from 0 to 512, got 513"},
      {"output_replication = 1\n[storage.namenode]\nreplication_min = 2",
       ":10: storage: output_replication: expected 0, or a number from namenode.replication_min to "
       "namenode.replication_max, 2 to 512, got 1"},
      {"output_replication = 1\nsocket_timeout = \"9s\"",
       ":10: storage: socket_timeout: expected at least 10 s with output_replication, since tasks "
       "may write nothing for 5 s, got 9000 ms"},
      {"block_size = \"1 KiB\"",
       ":10: storage: block_size: expected at least namenode.min_block_size, 1048576 bytes, got "
       "1024"},
      {"block_size = \"1048577 B\"",
       ":10: storage: block_size: expected a multiple of 512 bytes, got 1048577"},
      {"block_size = 64", ":11: storage.block_size: expected a size like"},
      {"placement = \"nowhere\"",
       ":11: storage.placement: expected one of default, rack_fault_tolerant, same_rack_second, "
       "got \"nowhere\""},
      {"store = \"tape\"", ":11: storage.store: expected \"generated\" or \"disk\", got \"tape\""},
      {"capacity = \"0 B\"", ":11: storage.capacity: expected a size from 1 B to "},
      {"disk_rate = \"100 MiB\"",
       ":11: storage.disk_rate: expected a rate like \"100 MiB/s\" or \"unlimited\", got \"100 "
       "MiB\""},
      {"disk_rate = 5", ":11: storage.disk_rate: expected a rate like"},
      {"network_rate = \"0 B/s\"",
       ":11: storage.network_rate: expected a rate from 1 B/s to 1 TB/s, got \"0 B/s\""},
      {"network_rate = \"x/s\"", ":11: storage.network_rate: expected a rate like"},
      {"seek = \"2h\"", ":11: storage.seek: expected a duration from 0us to 1h, got \"2h\""},
      {"block_report_interval = \"0s\"", ":11: storage.block_report_interval: expected a duration"},
      {"socket_timeout = \"0s\"", ":11: storage.socket_timeout: expected a duration"},
      {"rpc_port = 65536",
       ":11: storage.rpc_port: expected a whole number from 0 to 65535, got 65536"},
      {"rpc_port = 9000\nhttp_port = 9000",
       ":10: storage: expected different ports, got 9000 twice"},
      {"topology_script_args = 5",
       ":10: storage: topology_script_args: expected only beside topology_script"},
      {"topology_script = \"x\"\ntopology_script_args = 101",
       ":12: storage.topology_script_args: expected a whole number from 1 to 100, got 101"},
      {"topology_script = \"x\"\ntopology = { node1 = \"/a\" }",
       ":10: storage: expected one of topology and topology_script"},
      {"topology = { node9 = \"/a\" }",
       ":11: storage.topology: expected names of the 2 machines of the cluster, got \"node9\""},
      {"topology = { node1 = \"a\" }",
       ":11: storage.topology.node1: expected a rack like \"/rack1\", got \"a\""},
      {"topology = 3", ":11: storage.topology: expected a table, got 3"},
      {"frobnicate = 1", ":11: storage.frobnicate: unknown key; known are replication, "},
      {"[storage.namenode]\nfrobnicate = 1",
       ":12: storage.namenode.frobnicate: namenode has no setting \"frobnicate\""},
      {"[storage.namenode]\nreplication_min = 3\nreplication_max = 2",
       ":12: storage.namenode.replication_min: namenode: expected replication_min to be at most "
       "replication_max"},
      {"[storage.namenode]\nreplication_max_streams_hard_limit = 1",
       ":12: storage.namenode.replication_max_streams_hard_limit: namenode: expected"},
      {"[storage.namenode]\nlease_soft_limit_ms = 99999999",
       ":12: storage.namenode.lease_soft_limit_ms: namenode: expected"},
  };
  for (const Defect& defect : defects) {
    EXPECT_THAT(fault_of(defect.lines), StartsWith(defect.message)) << defect.lines;
  }
  EXPECT_THAT(fault_of("", "[masters]\nreplication = 2\n"),
              StartsWith(":11: masters.replication: expected only without [storage]"));
}

// Every setting, with values that no setting takes.
TEST_F(StorageTable, RefusesBadValuesOfEverySettingOfTheNamenode) {
  for (const SettingDescription& setting : namenode_settings()) {
    for (const char* value : {"\"\"", "\"x\"", "-1", "1.5e300", "nan", "\"1 s\""}) {
      const std::string line = std::string(setting.name) + " = " + value;
      EXPECT_THAT(fault_of("[storage.namenode]\n" + line),
                  StartsWith(":12: storage.namenode." + std::string(setting.name)))
          << line;
    }
  }
}

class WithoutTrace : public testing::Test {
 protected:
  std::string fault_of(const std::string& text) {
    try {
      (void)parse_experiment(text, "mine.toml", {folder_.path(), std::nullopt, false});
    } catch (const InputError& error) {
      return error.what();
    }
    return "none";
  }
  TemporaryFolder folder_;
};

TEST_F(WithoutTrace, AnExperimentHasStorageAndOneRun) {
  const std::string good =
      "name = \"x\"\nworld = \"local\"\ncluster = { nodes = 2, vcores = 1, memory = \"1 GiB\" }\n";
  EXPECT_EQ(fault_of(good + "storage = {}\n"), "none");
  EXPECT_THAT(fault_of(good + "schedulers = [\"fifo\"]\n"),
              HasSubstr("trace: this key is missing"));
  EXPECT_THAT(fault_of(good + "storage = {}\nrepetitions = 2\n"),
              HasSubstr("mine.toml:4: storage: without [trace] the cluster stays open"));
  EXPECT_THAT(fault_of(good + "storage = {}\nreplay = { speed = 2 }\n"),
              HasSubstr("mine.toml:5: replay: expected only beside [trace]"));
  EXPECT_THAT(fault_of("name = \"x\"\nworld = \"virtual\"\nstorage = {}\n"
                       "cluster = { nodes = 2, vcores = 1, memory = \"1 GiB\" }\n"),
              HasSubstr("mine.toml:3: storage: without [trace] nothing happens in the virtual "
                        "world"));
}

TEST_F(WithoutTrace, AScriptIsNotRunForOthers) {
  EXPECT_THROW(
      (void)parse_experiment("name = \"x\"\nworld = \"local\"\nstorage.topology_script = \"x\"\n"
                             "cluster = { nodes = 2, vcores = 1, memory = \"1 GiB\" }\n",
                             "mine.toml", {folder_.path(), folder_.path(), true}),
      InputError);
}

}  // namespace
}  // namespace tracebed
