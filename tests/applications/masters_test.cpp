#include "applications/masters.h"

#include <gtest/gtest.h>

#include "applications/master_harness.h"
#include "applications/rigid/rigid_master.h"

namespace tracebed {
namespace {

TEST(MasterOptions, DefaultsAreHadoops) {
  const auto options = read_master_options({});
  ASSERT_TRUE(options.has_value());
  EXPECT_EQ(options->replication, 3u);
  EXPECT_EQ(options->rigid_attempts_max, 1u);
  EXPECT_EQ(options->map_reduce.map_attempts_max, 4u);
  EXPECT_EQ(options->map_reduce.reduce_attempts_max, 4u);
  EXPECT_EQ(options->map_reduce.ramp.slow_start, 0.05F);
  EXPECT_EQ(options->map_reduce.unconditional_preemption_delay, seconds(300));
  EXPECT_EQ(options->map_reduce.heartbeat_interval, seconds(1));
}

TEST(MasterOptions, AreReadByNameAndSayWhatIsWrong) {
  const auto options = read_master_options({{"slow_start", "1"}, {"replication", "0"}});
  ASSERT_TRUE(options.has_value());
  EXPECT_EQ(options->map_reduce.ramp.slow_start, 1.0F);
  EXPECT_EQ(options->replication, 0u);
  EXPECT_EQ(read_master_options({{"slow_start", "5%"}}).error().message,
            "job masters, setting slow_start: expected a number from 0 to 1, got \"5%\"");
  EXPECT_EQ(read_master_options({{"map_attempts", "0"}}).error().message,
            "job masters, setting map_attempts: expected a whole number from 1 to 1000000, got "
            "\"0\"");
  const auto unknown = read_master_options({{"slowstart", "1"}});
  ASSERT_FALSE(unknown.has_value());
  EXPECT_EQ(unknown.error().message.substr(0, 48),
            "job masters has no setting \"slowstart\"; it has m");
}

ClusterModel cluster_of(std::size_t nodes, std::size_t racks) {
  ClusterModel cluster;
  cluster.racks = racks;
  for (std::size_t i = 0; i < nodes; ++i) {
    Node node;
    node.id = NodeId(i);
    node.rack = RackId(i % racks);
    cluster.nodes.push_back(node);
  }
  return cluster;
}

Job map_job(std::uint32_t id, std::string path) {
  Job job;
  job.id = JobId(id);
  Stage stage;
  stage.kind = StageKind::map;
  stage.demand = Resources(1'000, 1'024);
  stage.runs.push_back({20, Work()});
  stage.input_path = std::move(path);
  job.stages.push_back(std::move(stage));
  return job;
}

std::string nodes_asked_for(MasterBuilder& builder, const ClusterModel& cluster, Job job) {
  const auto master = builder(ApplicationId(0u), job, cluster);
  MasterHarness harness(*master);
  harness.start();
  return to_text(harness.ask(2).nodes);
}

TEST(MasterOptions, OfSpeculationAreReadByNameAndSayWhatIsWrong) {
  const Result<MasterOptions> read = read_master_options({{"speculation.policy", "late"},
                                                          {"speculation.thresholds", "percentiles"},
                                                          {"speculation.least_run_ms", "5000"},
                                                          {"speculation.cap_minimum", "3"}});
  ASSERT_TRUE(read);
  const SpeculationOptions& options = read->map_reduce.speculation;
  EXPECT_EQ(options.rule, SpeculationRule::late);
  EXPECT_TRUE(options.has_percentiles);
  EXPECT_EQ(options.least_run, seconds(5));
  EXPECT_EQ(options.cap_minimum, 3u);
  EXPECT_EQ(read_master_options({})->map_reduce.speculation.rule, SpeculationRule::none);
  const std::map<std::string, std::string> wrong = {
      {"speculation.policy", "sometimes"},       {"speculation.thresholds", "mean"},
      {"speculation.progress_interval_ms", "0"}, {"speculation.cap_of_running", "1.1"},
      {"speculation.retry_after_none_ms", "0"},  {"speculation.slow_task_deviations", "-1"}};
  for (const auto& [name, value] : wrong) {
    const Result<MasterOptions> refused = read_master_options({{name, value}});
    ASSERT_FALSE(refused) << name;
    EXPECT_NE(refused.error().message.find(name), std::string::npos) << refused.error().message;
    EXPECT_NE(refused.error().message.find(value), std::string::npos) << refused.error().message;
  }
}

TEST(MasterBuilder, GivesJobsThatReadTheSameFileTheSamePlaces) {
  const ClusterModel cluster = cluster_of(12, 3);
  MasterBuilder builder(MasterOptions(), 1);
  const std::string places = nodes_asked_for(builder, cluster, map_job(0, "/a"));
  EXPECT_EQ(nodes_asked_for(builder, cluster, map_job(1, "/a")), places);
  EXPECT_NE(nodes_asked_for(builder, cluster, map_job(1, "/b")), places);
  MasterBuilder other_seed(MasterOptions(), 2);
  EXPECT_NE(nodes_asked_for(other_seed, cluster, map_job(0, "/a")), places);
}

TEST(MasterBuilder, GivesJobsWithoutAPathFilesOfTheirOwn) {
  const ClusterModel cluster = cluster_of(12, 3);
  MasterBuilder builder(MasterOptions(), 1);
  const std::string places = nodes_asked_for(builder, cluster, map_job(0, ""));
  EXPECT_EQ(nodes_asked_for(builder, cluster, map_job(0, "")), places);
  EXPECT_NE(nodes_asked_for(builder, cluster, map_job(1, "")), places);
}

TEST(MasterBuilder, NamesNoPlacesWithReplicationZeroOrWithoutNodes) {
  MasterOptions options;
  MasterBuilder without_nodes(options, 1);
  EXPECT_EQ(nodes_asked_for(without_nodes, ClusterModel(), map_job(0, "/a")), "");
  options.replication = 0;
  MasterBuilder without_replicas(options, 1);
  EXPECT_EQ(nodes_asked_for(without_replicas, cluster_of(12, 3), map_job(0, "/a")), "");
}

TEST(MasterBuilder, SeesNodesThatJoinedLater) {
  MasterBuilder builder(MasterOptions(), 1);
  EXPECT_EQ(nodes_asked_for(builder, cluster_of(1, 1), map_job(0, "/a")), "0:20");
  EXPECT_NE(nodes_asked_for(builder, cluster_of(5, 1), map_job(0, "/a")), "0:20");
}

// What a scheduler sees of the input is what the master asks by.
TEST(MasterBuilder, PlacesInputBlocksWhereTheMasterPrefersToRun) {
  const ClusterModel cluster = cluster_of(6, 2);
  MasterBuilder builder(MasterOptions(), 1);
  const Job job = map_job(3, "/shared");
  const InputBlocks blocks = builder.input_blocks(job, cluster.nodes);
  ASSERT_EQ(blocks.blocks(), 20u);
  Job built = job;
  const auto master = builder.build(built, cluster.nodes);
  for (std::uint32_t map = 0; map < 20; ++map) {
    std::vector<NodeId> nodes;
    master->input_nodes({0, map}, nodes);
    const auto holders = blocks.nodes_of(map);
    EXPECT_EQ(std::vector<NodeId>(holders.begin(), holders.end()), nodes);
    EXPECT_EQ(nodes.size(), 3u);
  }
  MasterOptions without;
  without.replication = 0;
  EXPECT_EQ(MasterBuilder(without, 1).input_blocks(job, cluster.nodes).blocks(), 0u);
}

TEST(MasterOptions, RefuseFiguresOfExecutorsThatTheyCannotHave) {
  for (const char* setting :
       {"executors", "executor_milli_vcores", "executor_memory_mib", "executor_cache_mib",
        "locality_wait_process_ms", "locality_wait_node_ms", "locality_wait_rack_ms"}) {
    for (const char* value : {"-1", "many", "", "99999999999999999999"}) {
      const auto options = read_master_options({{setting, value}});
      ASSERT_FALSE(options) << setting << " = " << value;
      EXPECT_NE(options.error().message.find(setting), std::string::npos);
    }
  }
}

TEST(MasterBuilder, RunsTasksOnExecutorsIfToldTo) {
  const ClusterModel cluster = cluster_of(6, 2);
  const auto options = read_master_options({{"executors", "4"}, {"executor_memory_mib", "2048"}});
  ASSERT_TRUE(options);
  MasterBuilder builder(*options, 1);
  Job job = map_job(3, "/shared");
  const auto master = builder.build(job, cluster.nodes);
  MasterHarness harness(*master);
  harness.start();
  EXPECT_EQ(harness.pending(0), 4u);
  EXPECT_EQ(harness.ask(0).demand, Resources(1'000, 2'048));
}

TEST(MasterBuilder, MakesAGangOfARigidJob) {
  Job job;
  job.kind = JobKind::rigid;
  Stage stage;
  stage.kind = StageKind::gang;
  stage.runs.push_back({4, Work()});
  job.stages.push_back(stage);
  MasterBuilder builder(MasterOptions(), 1);
  const auto master = builder(ApplicationId(0u), job, ClusterModel());
  MasterHarness harness(*master);
  harness.start();
  EXPECT_EQ(harness.ask(0).kind, StageKind::gang);
  EXPECT_EQ(harness.pending(0), 4u);
}

TEST(MasterBuilder, PutsInputWhereTheTraceRecordedIt) {
  ClusterModel cluster = cluster_of(3, 3);
  cluster.nodes[1].name = "b";
  cluster.nodes[2].name = "c";
  Job job = map_job(0, "/a");
  job.stages[0].runs[0].count = 3;
  // Of the first map on b and c, of the second on c twice, of the third on a machine that is not in
  // this run.
  job.stages[0].places = {{"b", "c", "gone"}, {2, 4, 5}, {0, 1, 1, 1, 2}};
  MasterBuilder builder(MasterOptions(), 1);
  EXPECT_EQ(nodes_asked_for(builder, cluster, job), "1:1 2:2");
  MasterOptions ignoring;
  ignoring.are_recorded_places_used = false;
  MasterBuilder placing(ignoring, 1);
  EXPECT_EQ(nodes_asked_for(placing, cluster, job), "0:3 1:3 2:3");
  // None of the machines is in the run.
  job.stages[0].places.hosts = {"x", "y", "z"};
  EXPECT_EQ(nodes_asked_for(builder, cluster, job), "0:3 1:3 2:3");
}

TEST(MasterBuilder, LetsMapsReadTheSplitsOfTheirFileInTheRunsStorage) {
  ClusterModel cluster = cluster_of(3, 3);
  cluster.nodes[2].name = "c";
  for (const JobKind kind : {JobKind::map_reduce, JobKind::dag}) {
    Job job = map_job(0, "/a");
    job.kind = kind;
    job.stages.resize(1);
    job.stages[0].runs[0].count = 2;
    job.stages[0].input = {.id = 16'390, .size = 150, .block_size = 100};
    job.stages[0].places = {{"c"}, {0, 1}, {0}};
    // What a job without storage may ignore is where its input is.
    MasterOptions options;
    options.are_recorded_places_used = false;
    MasterBuilder builder(options, 1);
    const auto master = builder(ApplicationId(0u), job, cluster);
    MasterHarness harness(*master);
    harness.start();
    const AskSlot slot = kind == JobKind::dag ? 0 : 2;
    EXPECT_EQ(to_text(harness.ask(slot).nodes), "2:1");
    const LaunchTask second = harness.launched(harness.grant(slot, NodeId(2u), RackId(2u)));
    EXPECT_EQ(second.task.index, 1u);
    EXPECT_EQ(second.work.input_file, 16'390);
    EXPECT_EQ(second.work.input_offset, 100);
    EXPECT_EQ(second.work.input_length, 50);
    const ContainerId first = harness.grant(slot, NodeId(0u), RackId(0u));
    EXPECT_EQ(harness.launched(first).work.input_length, 100);
  }
}

TEST(MasterBuilder, PlacesNothingOfAFileWhoseReplicasAreAllGone) {
  Job job = map_job(0, "/a");
  job.stages[0].input = {.id = 16'390, .size = 150, .block_size = 100};
  MasterBuilder builder(MasterOptions(), 1);
  EXPECT_EQ(nodes_asked_for(builder, cluster_of(3, 3), job), "");
}

TEST(MasterBuilder, ConfinesTasksToNodesWithALabel) {
  ClusterModel cluster = cluster_of(4, 1);
  cluster.nodes[1].labels = {"fast"};
  cluster.nodes[3].labels = {"big", "other"};
  Job job = map_job(0, "");
  job.kind = JobKind::dag;
  job.stages[0].node_labels = {"big", "fast"};
  MasterBuilder builder(MasterOptions(), 1);
  const auto master = builder(ApplicationId(0u), job, cluster);
  MasterHarness harness(*master);
  harness.start();
  EXPECT_EQ(to_text(harness.ask(0).nodes), "1:20 3:20");
}

}  // namespace
}  // namespace tracebed
