// Random runs of jobs that write to the run's storage, and whose tasks fetch from each other, on
// machines that fail and are drained: what is there at the end is the output of the jobs that
// succeeded, each byte of it, and nothing else, and tasks that succeeded have fetched all.
#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <set>

#include "applications/masters.h"
#include "coordinator/engine/doubles.h"
#include "coordinator/engine/namenode_view.h"
#include "coordinator/engine/replay.h"
#include "coordinator/virtual/virtual_fleet.h"
#include "core/output_files.h"
#include "core/random.h"
#include "support/at_seconds.h"

namespace tracebed {
namespace {

constexpr std::int64_t block_size = 1 << 20;

struct Story {
  VirtualOptions options;
  std::vector<Machine> machines;
  std::vector<MachineChange> changes;
  std::vector<AdministratorRequest> commands;
  std::vector<Job> jobs;
  NamenodeOptions namenode;
  MasterOptions masters;
};

Work random_work(Random& random) {
  Work work;
  work.duration = milliseconds(random.between(0, 120'000));
  work.cpu_time = work.duration / 2;
  work.memory_mib = random.chance(0.02) ? 2'048 : 512;  // more than the container: it fails
  if (random.chance(0.8)) work.output_bytes = random.between(1, 5 * block_size);
  if (random.chance(0.2)) work.output_bytes = block_size * random.between(1, 3);
  if (random.chance(0.7)) work.shuffle_bytes = random.between(1, 4 * block_size);
  return work;
}

Job random_job(Random& random, std::size_t index) {
  Job job;
  job.id = JobId(index);
  job.name = "job" + std::to_string(index);
  job.submit = at_seconds(random.between(0, 200));
  job.kind = random.chance(0.3) ? JobKind::dag : JobKind::map_reduce;
  for (int stage = 0; stage < random.between(1, 2); ++stage) {
    Stage made;
    made.kind = stage == 0 || job.kind == JobKind::dag ? StageKind::map : StageKind::reduce;
    made.demand = Resources(1'000, 1'024);
    for (int run = 0; run < 3; ++run) {
      made.runs.push_back({static_cast<std::uint32_t>(random.between(1, 4)), random_work(random)});
    }
    if (stage == 1 && job.kind == JobKind::dag) made.needs = {0};
    job.stages.push_back(std::move(made));
  }
  return job;
}

// Tasks without a limit that want three cores each, as many as memory lets on a machine of four.
void oversubscribe(std::vector<Job>& jobs) {
  for (Job& job : jobs) {
    for (Stage& stage : job.stages) {
      stage.demand = Resources(0, 1'024);
      for (TaskRun& run : stage.runs) run.work.cpu_time = 3 * run.work.duration;
    }
  }
}

Story random_story(std::uint64_t seed) {
  Random random = Random::stream(seed, "written outputs");
  Story story;
  const std::int64_t nodes = random.between(4, 8);
  for (std::int64_t i = 0; i < nodes; ++i) {
    story.machines.push_back(doubles::plain_machine(4, "node" + std::to_string(i)));
    story.machines.back().rack = "/r" + std::to_string(i % 2);
  }
  for (std::size_t i = 0; i < 12; ++i) story.jobs.push_back(random_job(random, i));
  std::stable_sort(story.jobs.begin(), story.jobs.end(),
                   [](const Job& a, const Job& b) { return a.submit < b.submit; });
  // Half of the machines fail, one after the other, so that replicas are left of every block.
  TraceTime at{};
  for (std::int64_t i = 0; i < nodes / 2 && random.chance(0.7); ++i) {
    at += seconds(random.between(5, 60));
    story.changes.push_back({at, NodeId(static_cast<std::size_t>(i)), false});
    at += seconds(random.between(1, 60));
    story.changes.push_back({at, NodeId(static_cast<std::size_t>(i)), true});
  }
  for (int i = 0; i < 16; ++i) {
    const std::string node = "node" + std::to_string(random.between(nodes / 2, nodes - 1));
    const TraceTime begin = at_seconds(random.between(1, 300));
    story.commands.push_back({.at = begin,
                              .kind = AdministratorCommandKind::drain,
                              .node = node,
                              .grace = seconds(random.between(0, 90))});
    story.commands.push_back({.at = begin + seconds(random.between(1, 60)),
                              .kind = AdministratorCommandKind::undrain,
                              .node = node});
  }
  std::stable_sort(
      story.commands.begin(), story.commands.end(),
      [](const AdministratorRequest& a, const AdministratorRequest& b) { return a.at < b.at; });
  story.options.is_ideal = random.chance(0.3);
  story.options.node_expiry = seconds(random.between(2, 40));
  story.options.seed = seed;
  VirtualDatanodeOptions datanodes;
  datanodes.block_size = block_size;
  if (random.chance(0.5)) datanodes.datanodes.disk_rate = 200'000;
  datanodes.seed = seed;
  if (random.chance(0.7)) {
    story.namenode.shuffle = ShuffleOptions{static_cast<std::uint32_t>(random.between(1, 5))};
    if (random.chance(0.5)) datanodes.datanodes.network_rate = 300'000;
    story.masters.map_reduce.are_lost_outputs_awaited = true;
    story.masters.dag.are_lost_outputs_awaited = true;
  }
  story.namenode.replication_of_outputs = static_cast<std::uint32_t>(random.between(1, 3));
  if (!story.changes.empty()) story.namenode.replication_of_outputs = 3;
  story.namenode.safe_mode.at_start = random.chance(0.5);
  story.namenode.seed = seed;
  if (random.chance(0.3)) {
    // They end before a machine that failed is given up.
    story.namenode.leases = {.soft_limit = seconds(31), .hard_limit = seconds(35)};
    story.options.node_expiry = seconds(random.between(60, 120));
  }
  if (random.chance(0.2)) datanodes.datanodes.capacity = random.between(20, 60) * block_size;
  story.options.storage = datanodes;
  story.masters.preemption_policy =
      random.chance(0.8) ? PreemptionPolicy::checkpoint : PreemptionPolicy::newest_first;
  if (random.chance(0.4)) oversubscribe(story.jobs);
  return story;
}

struct WrittenFile {
  std::int64_t length = 0;
  bool is_open = false;
};

// By path, of all files.
void list_files(const NamenodeState& state, InodeId at, const std::string& path,
                std::map<std::string, WrittenFile>& files) {
  const Inode& inode = state.tree.inode(at);
  if (!inode.is_directory) {
    WrittenFile file{0, inode.file.is_under_construction()};
    for (const BlockIndex block : inode.file.blocks)
      file.length += state.blocks.block(block).length;
    files.emplace(path, file);
  }
  for (const auto& [name, child] : inode.children) {
    list_files(state, child, path + "/" + std::string(name), files);
  }
}

// The bytes of a task's output that files hold, from the first on: each file begins at most where
// those before it end.
std::int64_t contiguous_bytes(const std::map<std::string, WrittenFile>& files, JobId job,
                              TaskRef task, std::set<std::string>& seen) {
  TaskWork work;
  work.output_job = job.value();
  work.output_part = output_part_of(task);
  const std::string first = output_path_of(work);
  std::map<std::int64_t, std::int64_t> ends;  // by begin
  for (const auto& [path, file] : files) {
    if (!path.starts_with(first)) continue;
    constexpr std::string_view from = "-from-";
    const std::string rest = path.substr(first.size());
    const std::int64_t begin = rest.empty() ? 0 : std::stoll(rest.substr(from.size()));
    ends[begin] = begin + file.length;
    seen.insert(path);
  }
  std::int64_t end = 0;
  for (const auto& [begin, file_end] : ends) {
    if (begin > end) break;
    end = std::max(end, file_end);
  }
  return end;
}

struct Outcome {
  std::map<std::string, WrittenFile> files;
  doubles::Records records;
};

Outcome play(const Story& story) {
  Outcome outcome;
  EngineSetup setup;
  setup.scheduler = std::make_unique<doubles::FirstFit>();
  setup.make_master = MasterBuilder(story.masters, story.options.seed);
  setup.storage = story.namenode;
  setup.paranoid = true;
  Engine engine(std::move(setup), outcome.records);
  NamenodeView view(engine);
  VirtualFleet fleet(story.options, story.machines, story.changes);
  fleet.look_at(view);
  doubles::JobList list(story.jobs);
  const ReplayResult result =
      replay(engine, fleet, &list, nullptr, [](const ReplayProgress&) { return true; },
             {.commands = story.commands});
  EXPECT_EQ(result.outcome, RunOutcome::complete);
  const NamenodeState& state = engine.namenode()->state();
  list_files(state, **state.tree.find("/"), "", outcome.files);
  return outcome;
}

class WrittenOutputs : public testing::TestWithParam<std::uint64_t> {};

TEST_P(WrittenOutputs, AreThoseOfTheJobsThatSucceeded) {
  const Story story = random_story(GetParam());
  const std::vector<Job>& jobs = story.jobs;
  const auto [files, records] = play(story);
  std::set<std::string> seen;
  std::int64_t written = 0;
  for (const JobRecord& record : records.jobs) {
    if (record.outcome != JobOutcome::succeeded) continue;
    const Job& job = *std::find_if(jobs.begin(), jobs.end(),
                                   [&](const Job& each) { return each.id == record.job; });
    for (std::uint16_t stage = 0; stage < job.stages.size(); ++stage) {
      for (std::uint32_t task = 0; task < task_count(job.stages[stage]); ++task) {
        const std::int64_t bytes = work_of(job.stages[stage], task).output_bytes;
        EXPECT_EQ(contiguous_bytes(files, job.id, {stage, task}, seen), bytes)
            << job.name << " stage " << stage << " task " << task;
        written += bytes;
      }
    }
  }
  for (const auto& [path, file] : files) {
    EXPECT_FALSE(file.is_open) << path;
    EXPECT_GT(file.length, 0) << path;
    EXPECT_TRUE(seen.contains(path)) << path << " is of no task that succeeded";
  }
  std::int64_t reported = 0;
  for (const AttemptRecord& attempt : records.attempts) reported += attempt.account.output;
  EXPECT_GE(reported, written);
}

// What a task fetched whose attempts kept some progress adds up to all, or more.
TEST_P(WrittenOutputs, OfTasksThatFetchAreMadeOfAllThatTheyFetch) {
  const Story story = random_story(GetParam());
  const Outcome outcome = play(story);
  std::map<std::pair<JobId, TaskRef>, std::int64_t> fetched;  // by attempts that were kept
  for (const AttemptRecord& attempt : outcome.records.attempts) {
    const std::int64_t bytes = attempt.account.shuffled.total();
    EXPECT_LE(bytes, attempt.account.bytes_read);
    const bool is_kept =
        attempt.end == ContainerEnd::succeeded || attempt.end == ContainerEnd::checkpointed;
    if (is_kept) fetched[{attempt.job, TaskRef{attempt.stage, attempt.task}}] += bytes;
  }
  for (const JobRecord& record : outcome.records.jobs) {
    if (record.outcome != JobOutcome::succeeded) continue;
    const Job& job = *std::find_if(story.jobs.begin(), story.jobs.end(),
                                   [&](const Job& each) { return each.id == record.job; });
    for (std::uint16_t stage = 0; stage < job.stages.size(); ++stage) {
      for (std::uint32_t task = 0; task < task_count(job.stages[stage]); ++task) {
        const std::int64_t bytes = work_of(job.stages[stage], task).shuffle_bytes;
        const bool fetches = stage > 0 && story.namenode.shuffle &&
                             (job.kind == JobKind::map_reduce || !job.stages[stage].needs.empty());
        const std::int64_t got = fetched[{job.id, {stage, task}}];
        if (fetches) {
          EXPECT_GE(got, bytes) << job.name << " stage " << stage << " task " << task;
        } else {
          EXPECT_EQ(got, 0) << job.name << " stage " << stage << " task " << task;
        }
      }
    }
  }
}

TEST(WrittenOutputStories, HaveAllThatMayHappen) {
  std::map<ContainerEnd, std::size_t> ends;
  std::size_t continued = 0;
  std::size_t failed_jobs = 0;
  std::size_t late = 0;
  std::size_t fetched_again = 0;
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    const Outcome outcome = play(random_story(seed));
    for (const AttemptRecord& attempt : outcome.records.attempts) {
      ++ends[attempt.end];
      const Duration lasted = attempt.account.ended - attempt.account.started;
      if (attempt.end == ContainerEnd::succeeded && lasted > attempt.nominal) ++late;
      const bool has_fetched = attempt.account.shuffled.total() > 0;
      if (attempt.end != ContainerEnd::succeeded && has_fetched) ++fetched_again;
    }
    for (const JobRecord& job : outcome.records.jobs) {
      if (job.outcome == JobOutcome::failed) ++failed_jobs;
    }
    for (const auto& [path, file] : outcome.files) {
      if (path.find("-from-") != std::string::npos) ++continued;
    }
  }
  EXPECT_GT(ends[ContainerEnd::checkpointed], 20u);
  EXPECT_GT(ends[ContainerEnd::preempted], 20u);
  EXPECT_GT(ends[ContainerEnd::node_lost], 20u);
  EXPECT_GT(ends[ContainerEnd::out_of_memory], 20u);
  EXPECT_GT(continued, 10u);
  EXPECT_GT(failed_jobs, 10u);
  EXPECT_GT(late, 20u);
  EXPECT_GT(fetched_again, 20u);
}

INSTANTIATE_TEST_SUITE_P(Seeds, WrittenOutputs, testing::Range<std::uint64_t>(1, 201));

}  // namespace
}  // namespace tracebed
