// Whole virtual runs with storage: what tasks read is what datanodes send, wherever input is; the
// log decides again; a run is the same on any number of threads; machines and racks that fail.
#include <algorithm>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>

#include "coordinator/config/load_experiment.h"
#include "coordinator/recorded/replay_log.h"
#include "coordinator/runner/experiment_run.h"
#include "core/input_error.h"
#include "report/run_folder.h"
#include "support/csv_rows.h"
#include "support/files.h"
#include "support/schedulers.h"
#include "support/temporary_folder.h"

namespace tracebed {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

class KeepsWarnings final : public RunObserver {
 public:
  bool should_continue() override { return true; }
  void progressed(const RunProgress&) override {}
  void warned(const std::string& message) override { warnings.push_back(message); }
  void noted(const std::string&) override {}
  std::vector<std::string> warnings;
};

class StorageRuns : public testing::Test {
 protected:
  StorageRuns() {
    std::string rows;
    for (int job = 0; job < 30; ++job) {
      rows += fmt::format("job{}\t{}\t1\t{}\t{}\t1000\n", job, 5 * job, 300'000'000 * (job % 4),
                          job % 3 * 50'000'000);
    }
    folder_.write("jobs.tsv", rows);
  }

  FinishedExperiment run(const std::string& more, std::vector<Override> overrides = {},
                         const std::string& output = "runs") {
    const auto file = folder_.write(
        "mine.toml",
        "name = \"mine\"\nworld = \"virtual\"\nrepetitions = 1\nparanoid = true\nschedulers = "
        "[\"fifo\", \"spread\"]\n[trace]\nfile = \"jobs.tsv\"\n[cluster]\nnodes = 8\nracks = 2\n"
        "vcores = 4\nmemory = \"8 GiB\"\nlimit_vcores = true\n" +
            more);
    Experiment experiment = load_experiment(file, std::nullopt, overrides);
    experiment.output = folder_.path() / output;
    return run_experiment(
        experiment,
        {.schedulers = test::schedulers(), .experiment_file = "mine.toml", .programs = {}},
        observer_);
  }
  // With one replica of each block, and with these rates.
  RunFolder run_at(const std::string& rates, const std::string& output) {
    return first_of(
        run("[storage]\nblock_size = \"64 MiB\"\nreplication = 1\n" + rates, {}, output));
  }
  static RunFolder first_of(const FinishedExperiment& finished) {
    return RunFolder::load(finished.replays.front().folder);
  }

  TemporaryFolder folder_;
  KeepsWarnings observer_;
};

TEST_F(StorageRuns, ReadWhatDatanodesCountWhereverItIs) {
  const FinishedExperiment finished = run("[storage]\nblock_size = \"64 MiB\"\n");
  ASSERT_EQ(finished.replays.size(), 2u);
  for (const FinishedReplay& replay : finished.replays) {
    EXPECT_EQ(replay.outcome, RunOutcome::complete) << replay.reason;
    const RunFolder folder = RunFolder::load(replay.folder);
    const ReadBytes& read = folder.attempts.input;
    // Of the jobs, those with 300, 600 and 900 MB: 8, 7 and 7 of them.
    EXPECT_EQ(read.total(), std::int64_t{300'000'000} * (8 + 2 * 7 + 3 * 7));
    EXPECT_GT(read.node_local, 0);
    EXPECT_EQ(folder.end.served_bytes, read);
    EXPECT_TRUE(replay_log(replay.folder, test::schedulers()).agrees());
    EXPECT_THAT(folder.description.storage, Contains(NamedText("block_size", "67108864")));
  }
  EXPECT_THAT(observer_.warnings, IsEmpty());
}

// Rates that are plenty cost nothing; where they are not, tasks wait for their input, no longer
// than the bytes take at one datanode.
TEST_F(StorageRuns, LastLongerWhereInputIsLate) {
  const std::string no_network = "network_rate = \"unlimited\"\n";
  const RunFolder plenty = run_at(no_network + "disk_rate = \"100 GB/s\"\n", "plenty");
  const RunFolder little = run_at(no_network + "disk_rate = \"2 MB/s\"\n", "little");
  EXPECT_LT(plenty.attempts.contention.max, 0.001);
  EXPECT_EQ(plenty.attempts.input.total(), little.attempts.input.total());
  EXPECT_GT(little.attempts.contention.mean, 10);
  EXPECT_EQ(little.end.served_bytes, little.attempts.input);
  // Eight datanodes cannot send it sooner.
  EXPECT_GT(little.metrics().makespan,
            static_cast<double>(little.attempts.input.total()) / 8 / 2e6);
  EXPECT_TRUE(replay_log(little.folder, test::schedulers()).agrees());
}

// What is read off rack passes the uplinks of both racks; all else does not.
TEST_F(StorageRuns, LastLongerWhereUplinksAreNarrow) {
  const std::string no_disk = "disk_rate = \"unlimited\"\n";
  const RunFolder narrow = run_at(no_disk + "rack_rate = \"1 MB/s\"\n", "narrow");
  const auto off_rack = static_cast<double>(narrow.attempts.input.off_rack);
  EXPECT_GT(off_rack, 0);
  EXPECT_GT(narrow.metrics().makespan, off_rack / 2 / 1e6);
  EXPECT_LT(run_at(no_disk, "wide").metrics().makespan, narrow.metrics().makespan / 2);
  EXPECT_TRUE(replay_log(narrow.folder, test::schedulers()).agrees());
  EXPECT_THAT(narrow.description.storage, Contains(NamedText("rack_rate", "1000000")));
}

// Machines fail with what is read from them and with who reads; others go on at another replica.
TEST_F(StorageRuns, GoOnReadingWhenMachinesFailMeanwhile) {
  std::string changes;
  for (int node = 1; node <= 3; ++node) {
    for (const char* change : {"at = \"{}s\"\nstate = \"down\"", "at = \"{}s\"\nstate = \"up\""}) {
      const int at = 40 * node + (std::string(change).find("up") != std::string::npos ? 25 : 0);
      changes += fmt::format("[[cluster.change]]\nnode = \"node{}\"\n", node) +
                 fmt::format(fmt::runtime(change), at) + "\n";
    }
  }
  const FinishedExperiment finished =
      run(changes +
          "[storage]\nblock_size = \"64 MiB\"\ndisk_rate = \"4 MB/s\"\n[storage.namenode]\n"
          "safemode = false\n");
  for (const FinishedReplay& replay : finished.replays) {
    EXPECT_EQ(replay.outcome, RunOutcome::complete) << replay.reason;
    EXPECT_TRUE(replay_log(replay.folder, test::schedulers()).agrees());
    const RunFolder folder = RunFolder::load(replay.folder);
    EXPECT_GT(folder.attempts.contention.mean, 1);
    EXPECT_GE(folder.end.served_bytes.value().total(), folder.attempts.input.total());
  }
}

TEST_F(StorageRuns, WriteTheOutputThatTheTraceHas) {
  const FinishedExperiment finished =
      run("[storage]\nblock_size = \"64 MiB\"\noutput_replication = 2\n");
  for (const FinishedReplay& replay : finished.replays) {
    EXPECT_EQ(replay.outcome, RunOutcome::complete) << replay.reason;
    const RunFolder folder = RunFolder::load(replay.folder);
    EXPECT_EQ(folder.attempts.output, 30 * 1'000);
    EXPECT_TRUE(replay_log(replay.folder, test::schedulers()).agrees());
    EXPECT_THAT(folder.description.storage, Contains(NamedText("output_replication", "2")));
  }
  EXPECT_THAT(observer_.warnings, IsEmpty());
  EXPECT_EQ(first_of(run("[storage]\nblock_size = \"64 MiB\"\n", {}, "without")).attempts.output,
            0);
}

TEST_F(StorageRuns, LastLongerWhereOutputIsLate) {
  folder_.write("jobs.tsv", "job0\t0\t0\t1000\t0\t600000000\n");
  const auto makespan = [&](const char* rate, const char* output) {
    return first_of(run(fmt::format("[storage]\nblock_size = \"64 MiB\"\noutput_replication = 2\n"
                                    "disk_rate = \"{}\"\n[storage.namenode]\nsafemode = false\n",
                                    rate),
                        {}, output))
        .metrics()
        .makespan;
  };
  // 600 MB at 2 MB/s, and what comes before and after.
  EXPECT_GT(makespan("2 MB/s", "slow"), 300);
  EXPECT_LT(makespan("2 MB/s", "again"), 310);
  EXPECT_LT(makespan("1 GB/s", "quick"), 150);
}

TEST_F(StorageRuns, FetchWhatTheTraceShuffles) {
  const FinishedExperiment finished =
      run("[storage]\nshuffle = true\ndisk_rate = \"unlimited\"\nnetwork_rate = \"unlimited\"\n"
          "seek = \"0s\"\n");
  for (const FinishedReplay& replay : finished.replays) {
    EXPECT_EQ(replay.outcome, RunOutcome::complete) << replay.reason;
    const RunFolder folder = RunFolder::load(replay.folder);
    const ReadBytes& shuffled = folder.attempts.shuffled;
    EXPECT_EQ(shuffled.total(), std::int64_t{50'000'000} * 10 + std::int64_t{100'000'000} * 10);
    EXPECT_GT(shuffled.rack_local, 0);
    EXPECT_GT(shuffled.off_rack, 0);
    EXPECT_LT(folder.attempts.contention.max, 0.001);
    EXPECT_TRUE(replay_log(replay.folder, test::schedulers()).agrees());
    EXPECT_THAT(folder.description.storage, Contains(NamedText("shuffle", "true")));
  }
  EXPECT_EQ(run_at("", "without").attempts.shuffled, ReadBytes());
  EXPECT_THAT(observer_.warnings, IsEmpty());
}

// The bytes pass the disks twice, and the interfaces unless they stay on their machine.
TEST_F(StorageRuns, LastLongerWhereWhatTasksFetchIsLate) {
  const std::string shuffle = "shuffle = true\n";
  const RunFolder slow_disks =
      run_at(shuffle + "disk_rate = \"5 MB/s\"\nnetwork_rate = \"unlimited\"\n", "slow disks");
  const auto shuffled = static_cast<double>(slow_disks.attempts.shuffled.total());
  const auto read = static_cast<double>(slow_disks.attempts.input.total());
  EXPECT_GT(slow_disks.metrics().makespan, (2 * shuffled + read) / 8 / 5e6);
  const RunFolder slow_links =
      run_at(shuffle + "disk_rate = \"unlimited\"\nnetwork_rate = \"1 MB/s\"\n", "slow links");
  const ReadBytes& fetched = slow_links.attempts.shuffled;
  const auto remote = static_cast<double>(fetched.rack_local + fetched.off_rack);
  EXPECT_GT(slow_links.metrics().makespan, remote / 8 / 1e6);
  EXPECT_GT(slow_links.attempts.contention.mean, 1);
  EXPECT_TRUE(replay_log(slow_links.folder, test::schedulers()).agrees());
}

// What is spilled passes the disks twice, too. Of the maps, those of two jobs that have one each
// emit more than four fifths of 100 MiB.
TEST_F(StorageRuns, LastLongerWhereTasksSpill) {
  const std::string rates =
      "shuffle = true\ndisk_rate = \"5 MB/s\"\nnetwork_rate = \"unlimited\"\n";
  const RunFolder reduces = run_at(rates + "spills = true\n", "reduces");
  EXPECT_EQ(reduces.attempts.spilled, reduces.attempts.shuffled.total() + 2 * 100'000'000);
  const RunFolder all = run_at(rates + "spills = true\nsort_memory = \"1 MB\"\n", "all");
  EXPECT_GE(all.attempts.spilled, 2 * all.attempts.shuffled.total());
  const auto moved = static_cast<double>(2 * all.attempts.shuffled.total() +
                                         2 * all.attempts.spilled + all.attempts.input.total());
  EXPECT_GT(all.metrics().makespan, moved / 8 / 5e6);
  EXPECT_TRUE(replay_log(all.folder, test::schedulers()).agrees());
}

// Half of the heap that maps need: what they read passes the disks once more, half of it each way.
TEST_F(StorageRuns, LastLongerWhereHeapsAreTooSmall) {
  const auto run_with = [&](const std::string& masters, const std::string& output) {
    return first_of(run("[masters]\n" + masters +
                            "[storage]\nblock_size = \"64 MiB\"\nreplication = 1\nshuffle = true\n"
                            "disk_rate = \"5 MB/s\"\nnetwork_rate = \"unlimited\"\n",
                        {}, output));
  };
  const RunFolder enough = run_with("map_heap_mib = 820\nsmall_heap = \"spills\"\n", "enough");
  EXPECT_EQ(enough.attempts.spilled, 0);
  const RunFolder half = run_with("map_heap_mib = 410\nsmall_heap = \"spills\"\n", "half");
  const auto read = static_cast<double>(half.attempts.input.total());
  EXPECT_NEAR(static_cast<double>(half.attempts.spilled), read / 2, 1e6);
  EXPECT_GT(half.metrics().makespan, enough.metrics().makespan);
  EXPECT_TRUE(replay_log(half.folder, test::schedulers()).agrees());
  const RunFolder failing = run_with("map_heap_mib = 410\n", "failing");
  EXPECT_EQ(failing.metrics().succeeded, 0u);
  try {
    run("[masters]\nsmall_heap = \"spills\"\n", {}, "no shuffle");
    FAIL() << "it ran";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("expected \"fails\" without storage.shuffle"));
  }
}

// Two maps on a machine of 4 vcores read 120 MB each from its disk, 10 MB a second. Where they
// share it by vcores, the one with 3 has 7.5 MB a second and ends after 16 s; the other has read 40
// MB by then, and the rest takes 8 s.
TEST_F(StorageRuns, ShareDisksByAResource) {
  folder_.write("jobs.csv",
                "job,submit_seconds,kind,input_bytes,maps,reduces,vcores,memory_mib,user,queue,"
                "input_path\nheavy,0,grep,120000000,1,0,3,512,a,,/heavy\n"
                "light,0,grep,120000000,1,0,1,512,a,,/light\n");
  const auto seconds_on = [&](const std::string& lines, const std::string& output) {
    const auto file = folder_.write(
        "mine.toml",
        "name = \"mine\"\nworld = \"virtual\"\nrepetitions = 1\nparanoid = true\nschedulers = "
        "[\"fifo\"]\n[trace]\nfile = \"jobs.csv\"\n[trace.rules]\nkind.grep.map_cpu = 0\n"
        "kind.grep.map_wait = 0\nmix.startup = 0\n[cluster]\nnodes = 1\nvcores = 4\n"
        "memory = \"8 GiB\"\n[storage]\nreplication = 1\ndisk_rate = \"10 MB/s\"\n"
        "seek = \"0s\"\n" +
            lines);
    Experiment experiment = load_experiment(file, std::nullopt, {});
    experiment.output = folder_.path() / output;
    const FinishedExperiment finished = run_experiment(
        experiment,
        {.schedulers = test::schedulers(), .experiment_file = "mine.toml", .programs = {}},
        observer_);
    const RunFolder folder = first_of(finished);
    EXPECT_TRUE(replay_log(folder.folder, test::schedulers()).agrees());
    std::map<std::string, double> seconds;
    for (const CsvRow& row : csv_rows(folder.folder / "tasks.csv")) {
      seconds[row.at("milli_vcores")] =
          (std::stod(row.at("ended_us")) - std::stod(row.at("work_begun_us"))) / 1e6;
    }
    return seconds;
  };
  const auto equal = seconds_on("", "equal");
  EXPECT_NEAR(equal.at("3000"), 24, 0.5);
  EXPECT_NEAR(equal.at("1000"), 24, 0.5);
  const auto by_vcores = seconds_on("transfer_weights = \"vcores\"\n", "weights");
  EXPECT_NEAR(by_vcores.at("3000"), 16, 0.5);
  EXPECT_NEAR(by_vcores.at("1000"), 24, 0.5);
  const auto by_memory = seconds_on("transfer_weights = \"memory\"\n", "memory");
  EXPECT_NEAR(by_memory.at("3000"), 24, 0.5) << "of which they have the same";
}

// With one replica, all of it is on the machine that wrote it: tasks there read from their own
// node, others from it.
TEST_F(StorageRuns, HaveTheirFilesOnTheMachineThatWroteThem) {
  const RunFolder folder = run_at("writer = \"node3\"\n", "written");
  EXPECT_GT(folder.attempts.input.total(), 0);
  for (const CsvRow& row : csv_rows(folder.folder / "tasks.csv")) {
    // Reduces fetch what maps made.
    if (row.at("launched") == "0" || row.at("stage") != "0") continue;
    const bool is_writer = row.at("node") == "node3";
    EXPECT_EQ(row.at("bytes_node_local"), is_writer ? row.at("bytes_read") : "0");
  }
  EXPECT_THAT(folder.description.storage, Contains(NamedText("writer", "node3")));
  EXPECT_TRUE(replay_log(folder.folder, test::schedulers()).agrees());
  try {
    run_at("writer = \"node9\"\n", "unknown");
    FAIL() << "it ran";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), AllOf(HasSubstr("mine.toml:"), HasSubstr("writer"),
                                    HasSubstr("the name of a machine of the run, got \"node9\"")));
  }
}

// Twelve executors, where each of the machines holds four tasks; jobs of fewer tasks have fewer.
TEST_F(StorageRuns, RunTasksOnExecutors) {
  const auto run_executors = [&](const std::string& am, const std::string& output) {
    return run(
        "[masters]\nexecutors = 12\nlost_outputs = \"awaited\"\n[storage]\n"
        "block_size = \"64 MiB\"\nshuffle = true\n",
        {{"--am", "am", am}}, output);
  };
  for (const std::string am : {"unmanaged", "container"}) {
    for (const FinishedReplay& replay : run_executors(am, am).replays) {
      EXPECT_EQ(replay.outcome, RunOutcome::complete) << replay.reason;
      EXPECT_TRUE(replay_log(replay.folder, test::schedulers()).agrees());
      const RunFolder folder = RunFolder::load(replay.folder);
      EXPECT_EQ(folder.metrics().succeeded, 30u);
    }
  }
}

TEST_F(StorageRuns, FetchNothingFromOutputsThatOutliveTheirNodes) {
  const auto message = [&](const std::string& more) {
    try {
      run(more + "[storage]\nshuffle = true\n");
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_THAT(message("[masters]\ndag_outputs = \"durable\"\n"),
              HasSubstr("masters.dag_outputs: expected \"node\" with storage.shuffle"));
  EXPECT_THAT(message("[masters]\nlost_outputs = \"fetched\"\n"),
              HasSubstr("masters.lost_outputs: expected \"awaited\" with storage.shuffle"));
}

TEST_F(StorageRuns, FailJobsForWhoseOutputDatanodesHaveNoRoom) {
  folder_.write("jobs.tsv", "big\t0\t0\t1000\t0\t20000000000\nlater\t900\t900\t1000\t0\t1000000\n");
  const FinishedExperiment finished =
      run("[storage]\nblock_size = \"64 MiB\"\noutput_replication = 3\ncapacity = \"1 GiB\"\n"
          "[storage.namenode]\nsafemode = false\n");
  const RunFolder folder = RunFolder::load(finished.replays.front().folder);
  ASSERT_EQ(folder.jobs.size(), 2u);
  EXPECT_EQ(folder.jobs[0].outcome, JobOutcome::failed);
  EXPECT_EQ(folder.jobs[1].outcome, JobOutcome::succeeded) << "what the first wrote is deleted";
  EXPECT_THAT(observer_.warnings,
              Contains(AllOf(HasSubstr("output: /tracebed/0/output/_temporary/container-"),
                             HasSubstr("could only be written to 0 of the 1"))));
}

TEST_F(StorageRuns, HaveNothingMoreThanOthersWithoutTheTable) {
  const RunFolder folder = first_of(run(""));
  EXPECT_THAT(folder.description.storage, IsEmpty());
  EXPECT_EQ(folder.end.served_bytes, std::nullopt);
  EXPECT_EQ(folder.attempts.input, ReadBytes());
}

TEST_F(StorageRuns, AreTheSameOnAnyNumberOfThreads) {
  const auto digests = [](const FinishedExperiment& finished) {
    std::vector<std::string> list;
    for (const FinishedReplay& replay : finished.replays) list.push_back(replay.digest);
    return list;
  };
  const auto with = [](const char* threads) {
    return std::vector<Override>{{"test", "virtual.parallel", threads},
                                 {"test", "repetitions", "3"}};
  };
  const std::string storage = "[storage]\nblock_size = \"64 MiB\"\n";
  const auto once = digests(run(storage, with("1"), "one"));
  ASSERT_EQ(once.size(), 6u);
  EXPECT_EQ(digests(run(storage, with("4"), "four")), once);
  EXPECT_EQ(contents(folder_.path() / "four/spread/r3/tasks.csv"),
            contents(folder_.path() / "one/spread/r3/tasks.csv"));
}

// The namenode finds the machine dead; its blocks are copied; when it is back they are too many.
TEST_F(StorageRuns, CopyTheBlocksOfAMachineThatFails) {
  const RunFolder folder =
      first_of(run("[[cluster.change]]\nnode = \"node3\"\nat = \"20s\"\nstate = \"down\"\n"
                   "[[cluster.change]]\nnode = \"node3\"\nat = \"100s\"\nstate = \"up\"\n"
                   "[storage]\nblock_size = \"64 MiB\"\n[storage.namenode]\nsafemode = false\n"
                   "heartbeat_interval_ms = 1000\nheartbeat_recheck_interval_ms = 5000\n"
                   "stale_datanode_interval_ms = 3000\n"));
  const auto count = [&](std::string_view name) {
    for (const auto& [counter, value] : folder.end.counters) {
      if (counter == name) return value;
    }
    return std::uint64_t{0};
  };
  EXPECT_GT(count("replicas_transferred"), 0u);
  EXPECT_GT(count("replicas_deleted"), 0u);
  EXPECT_TRUE(replay_log(folder.folder, test::schedulers()).agrees());
}

TEST_F(StorageRuns, RunOnWhenARackFails) {
  std::string changes;
  for (int node = 1; node <= 4; ++node) {
    changes += fmt::format(
        "[[cluster.change]]\nnode = \"node{}\"\nat = \"30s\"\nstate = \"down\"\n", node);
  }
  const FinishedExperiment finished = run(changes + "[storage]\nblock_size = \"64 MiB\"\n");
  EXPECT_EQ(finished.replays.front().outcome, RunOutcome::complete);
  const RunFolder folder = first_of(finished);
  // Nobody tells what tasks had read that were lost with their machine.
  EXPECT_GE(folder.end.served_bytes.value().total(), folder.attempts.input.total());
}

TEST_F(StorageRuns, HaveFewerReplicasThanAskedForOnFewMachines) {
  const RunFolder folder = first_of(run("[storage]\nreplication = 20\nblock_size = \"64 MiB\"\n"));
  EXPECT_EQ(folder.attempts.input.node_local, folder.attempts.input.total());
}

TEST_F(StorageRuns, PlaceMachinesInTheRacksOfTheTable) {
  const RunFolder folder =
      first_of(run("[storage]\ntopology = { node1 = \"/far\" }\nblock_size = \"64 MiB\"\n"));
  EXPECT_EQ(folder.description.machines[0].rack, "/far");
  EXPECT_EQ(folder.description.machines[1].rack, "/rack1");
}

TEST_F(StorageRuns, DoNotBeginWhereDatanodesHaveNoRoom) {
  try {
    run("[storage]\nblock_size = \"64 MiB\"\ncapacity = \"1 GiB\"\n");
    ADD_FAILURE() << "it began";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("storage: the input of the trace's jobs takes 0.03"));
    EXPECT_THAT(error.what(), HasSubstr("what 8 datanodes of 1 GiB hold"));
  }
}

}  // namespace
}  // namespace tracebed
