#include "contract/random_story.h"

#include <algorithm>
#include <array>
#include <memory>
#include <set>
#include <tuple>
#include <utility>

#include "applications/hosting/master_host.h"
#include "applications/masters.h"
#include "contract/list_source.h"
#include "contract/meddler.h"
#include "contract/suite_schedulers.h"
#include "coordinator/virtual/virtual_fleet.h"
#include "core/random.h"

namespace tracebed {
namespace {

constexpr Duration story_length = std::chrono::minutes(20);

Duration random_time(Random& random, Duration most) {
  return Duration(random.between(0, most.count()));
}

void add_machines(Story& story, Random& random) {
  const std::int64_t count = random.chance(0.1) ? 1 : random.between(2, 30);
  const std::int64_t racks = random.between(1, 4);
  const bool is_uniform = random.chance(0.5);
  for (std::int64_t i = 0; i < count; ++i) {
    Machine machine;
    machine.name = "m" + std::to_string(i);
    machine.rack = "/r" + std::to_string(i % racks);
    const std::int64_t size = is_uniform ? 2 : std::int64_t{1} << random.below(3);
    machine.capacity = Resources(4'000 * size, 8'192 * size);
    story.machines.push_back(std::move(machine));
  }
}

// Each machine goes and comes a few times; the last change brings it back.
void add_outages(Story& story, Random& random) {
  if (random.chance(0.3)) return;
  for (std::size_t i = 0; i < story.machines.size(); ++i) {
    TraceTime at{};
    for (std::uint64_t outages = random.below(4); outages > 0; --outages) {
      at += random_time(random, story_length / 2);
      story.changes.push_back({at, NodeId(i), false});
      at += seconds(1) + random_time(random, std::chrono::minutes(5));
      story.changes.push_back({at, NodeId(i), true});
    }
  }
}

// How long tasks take: seconds, or anything from a millisecond to three weeks, evenly by magnitude.
enum class Lengths { seconds, all };

Duration random_length(Random& random, Lengths lengths) {
  if (lengths == Lengths::seconds) {
    return random_time(random, random.chance(0.2) ? std::chrono::minutes(3) : seconds(20));
  }
  constexpr std::int64_t magnitudes = 31;  // 2^31 ms are nearly twenty-five days
  return milliseconds(1) * (std::int64_t{1} << random.below(magnitudes));
}

Stage random_stage(Random& random, StageKind kind, std::int64_t tasks_max, bool may_outgrow,
                   Lengths lengths = Lengths::seconds) {
  Stage stage;
  stage.kind = kind;
  // Up to more than the largest machine has, so some jobs are to be rejected.
  stage.demand =
      Resources(500 * random.between(1, random.chance(0.05) ? 40 : 6), 256 * random.between(1, 8));
  std::int64_t left = random.between(1, tasks_max);
  while (left > 0) {
    const std::int64_t count = random.between(1, left);
    Work work;
    work.duration = random_length(random, lengths);
    work.cpu_time = work.duration / 2;
    work.memory_mib = stage.demand.memory_mib();
    if (may_outgrow && random.chance(0.02)) work.memory_mib *= 2;
    stage.runs.push_back({static_cast<std::uint32_t>(count), work});
    left -= count;
  }
  return stage;
}

void add_stages(Job& job, Random& random, bool may_outgrow, Lengths lengths = Lengths::seconds) {
  const auto count = static_cast<std::uint16_t>(random.between(1, 6));
  for (std::uint16_t index = 0; index < count; ++index) {
    Stage stage = random_stage(random, StageKind::map, 20, may_outgrow, lengths);
    for (std::uint16_t needed = 0; needed < index && job.kind == JobKind::dag; ++needed) {
      if (random.chance(0.4)) stage.needs.push_back(needed);
    }
    if (job.kind == JobKind::dag && random.chance(lengths == Lengths::all ? 0.4 : 0.1)) {
      stage.delay = lengths == Lengths::seconds ? random_time(random, seconds(30))
                                                : random_length(random, lengths);
    }
    job.stages.push_back(std::move(stage));
  }
}

void add_jobs(Story& story, Random& random, bool may_outgrow) {
  const double rigid_share = random.chance(0.2) ? 1 : random.chance(0.3) ? 0 : 0.4;
  TraceTime submit{};
  for (std::int64_t left = random.between(1, 60); left > 0; --left) {
    if (random.chance(0.7)) submit += random_time(random, seconds(30));
    Job job;
    job.id = JobId(story.jobs.size());
    job.name = "job " + std::to_string(story.jobs.size());
    job.submit = submit;
    if (random.chance(rigid_share)) {
      job.kind = JobKind::rigid;
      job.stages.push_back(random_stage(random, StageKind::gang, 40, may_outgrow));
    } else if (random.chance(0.3)) {
      job.kind = random.chance(0.7) ? JobKind::dag : JobKind::service;
      add_stages(job, random, may_outgrow);
    } else {
      job.stages.push_back(random_stage(random, StageKind::map, 80, may_outgrow));
      if (random.chance(0.6)) {
        job.stages.push_back(random_stage(random, StageKind::reduce, 20, may_outgrow));
      }
      if (random.chance(0.3)) job.stages[0].input_path = "/shared";
    }
    story.jobs.push_back(std::move(job));
  }
}

// What users state of their jobs' run times, which may be too little, and deadlines, which cannot
// always be met, by draws of their own.
void add_requested_times(Story& story, Random& random) {
  Random goals = Random::stream(story.seed, "deadlines");
  const double share = random.chance(0.3) ? 1 : random.chance(0.3) ? 0 : 0.5;
  for (Job& job : story.jobs) {
    const Duration goal = seconds(1) + ideal_duration(job) * goals.between(1, 40) / 4;
    if (goals.chance(0.5)) job.deadline = goal;
    if (!random.chance(share)) continue;
    job.requested_time = seconds(1) + ideal_duration(job) * random.between(1, 8) / 4;
  }
}

// A third of the stories has GPUs: tasks want none, a part of one, or some whole ones. Some want
// what no machine has, or a part beside whole ones, which cannot be.
void add_devices(Story& story) {
  Random random = Random::stream(story.seed, "devices");
  if (!random.chance(0.35)) return;
  constexpr std::size_t gpu = Resources::memory_dimension + 1;
  constexpr std::int64_t size = 1'000;
  constexpr std::array<std::int64_t, 8> parts{100, 250, 300, 400, 500, 600, 750, 1'000};
  story.devices.set(gpu, size);
  for (Machine& machine : story.machines) {
    if (!random.chance(0.2)) machine.capacity[gpu] = size * random.between(1, 4);
  }
  for (Job& job : story.jobs) {
    for (Stage& stage : job.stages) {
      if (random.chance(0.3)) continue;
      stage.demand[gpu] =
          random.chance(0.7) ? parts[random.below(parts.size())] : size * random.between(1, 3);
      if (random.chance(0.02)) stage.demand[gpu] = 1'500;
    }
  }
}

void set_options(Story& story, Random& random) {
  add_devices(story);
  add_requested_times(story, random);
  story.options.is_ideal = random.chance(0.3);
  story.options.heartbeat_period = milliseconds(random.between(200, 3'000));
  story.options.out_of_band_heartbeat = random.chance(0.3);
  story.options.node_expiry = seconds(random.between(2, 120));
  story.options.seed = story.seed;
  // Half of the stories of a scheduler that does not count vcores are over-committed.
  story.limit_vcores = Random::stream(story.seed, "limited dimensions").chance(0.5);
}

constexpr Duration long_story_heartbeat = milliseconds(200);

void add_long_jobs(Story& story, Random& random) {
  TraceTime submit{};
  for (std::int64_t left = random.chance(0.5) ? 1 : random.between(2, 6); left > 0; --left) {
    Job job;
    job.id = JobId(story.jobs.size());
    job.name = "job " + std::to_string(story.jobs.size());
    job.submit = submit;
    if (random.chance(0.3)) {
      job.kind = JobKind::rigid;
      job.stages.push_back(random_stage(random, StageKind::gang, 12, false, Lengths::all));
    } else if (random.chance(0.6)) {
      job.kind = random.chance(0.8) ? JobKind::dag : JobKind::service;
      add_stages(job, random, false, Lengths::all);
    } else {
      job.stages.push_back(random_stage(random, StageKind::map, 12, false, Lengths::all));
      if (random.chance(0.7)) {
        job.stages.push_back(random_stage(random, StageKind::reduce, 6, false, Lengths::all));
      }
    }
    story.jobs.push_back(std::move(job));
    if (random.chance(0.5)) submit += random_length(random, Lengths::all);
  }
}

// The longest that the story takes if nothing waits for room, about.
Duration length_of(const Story& story) {
  Duration length{};
  for (const Job& job : story.jobs) length = std::max(length, ideal_duration(job));
  return length + (story.jobs.back().submit - TraceTime());
}

// Machines that leave, and come back unless `for_good`.
void add_long_outages(Story& story, Random& random, bool for_good) {
  for (std::size_t i = 0; i < story.machines.size(); ++i) {
    if (random.chance(0.6)) continue;
    const TraceTime gone = TraceTime() + random_time(random, length_of(story) + seconds(60));
    story.changes.push_back({gone, NodeId(i), false});
    if (for_good && random.chance(0.5)) continue;
    story.changes.push_back({gone + random_length(random, Lengths::all), NodeId(i), true});
  }
}

void add_drains(Story& story, Random& random, bool for_good) {
  for (const Machine& machine : story.machines) {
    // A node that has not joined cannot be drained.
    if (random.chance(0.6)) continue;
    const TraceTime at = TraceTime() + random_time(random, length_of(story) + seconds(60));
    const Duration grace = random_length(random, Lengths::seconds);
    story.commands.push_back(
        {.at = at, .kind = AdministratorCommandKind::drain, .node = machine.name, .grace = grace});
    if (for_good && random.chance(0.5)) continue;
    story.commands.push_back({.at = at + random_length(random, Lengths::all),
                              .kind = AdministratorCommandKind::undrain,
                              .node = machine.name});
  }
  std::stable_sort(
      story.commands.begin(), story.commands.end(),
      [](const AdministratorRequest& a, const AdministratorRequest& b) { return a.at < b.at; });
}

Story story_with_outages(std::uint64_t seed, Random& random) {
  Story story;
  story.seed = seed;
  add_machines(story, random);
  add_outages(story, random);
  add_jobs(story, random, random.chance(0.5));
  set_options(story, random);
  return story;
}

Story drawn_out_story(std::uint64_t seed, const char* stream, bool for_good) {
  Random random = Random::stream(seed, stream);
  Story story;
  story.seed = seed;
  add_machines(story, random);
  if (story.machines.size() > 6) story.machines.resize(6);
  add_long_jobs(story, random);
  if (random.chance(0.6)) add_long_outages(story, random, for_good);
  if (random.chance(0.6)) add_drains(story, random, for_good);
  set_options(story, random);
  // So that a story has some thousands of heartbeats, whatever its length.
  constexpr std::int64_t heartbeats = 2'000;
  story.options.heartbeat_period =
      std::clamp(Duration(length_of(story) / heartbeats), Duration(long_story_heartbeat),
                 Duration(seconds(3'600)));
  return story;
}

class Accounts final : public RecordSink {
 public:
  void attempt_ended(const AttemptRecord& record) override {
    if (!record.launched) return;
    const TaskRef task{record.stage, record.task};
    if (!keys_
             .insert(
                 {record.job, record.application_attempt, record.is_master, task, record.attempt})
             .second) {
      ++again;
    }
    if (!record.is_master) {
      jobs[record.job].attempts[{task, record.attempt}] = {record.node, record.end};
    }
    if (record.end != ContainerEnd::succeeded) return;
    for (std::uint32_t i = 0; i < record.units; ++i) {
      ++jobs[record.job].successes[{record.stage, record.task + i}];
    }
  }
  void job_ended(const JobRecord& record) override {
    jobs[record.job].record = record;
    ++jobs[record.job].ended;
  }
  void preemption_ended(const PreemptionRecord&) override { ++asked_back; }
  void sampled(const ClusterSample&) override {}

  std::map<JobId, JobAccount> jobs;
  std::uint64_t asked_back = 0;
  std::uint64_t again = 0;

 private:
  std::set<std::tuple<JobId, std::uint32_t, bool, TaskRef, std::uint32_t>> keys_;
};

// The administrator, who moves tasks at random.
class Mover {
 public:
  Mover(const Story& story, const Engine& engine)
      : engine_(engine), random_(Random::stream(story.seed, "mover")), chance_(story.move_chance) {}

  std::vector<AdministratorRequest> requests() {
    if (chance_ == 0 || moves_left_ == 0 || !random_.chance(chance_)) return {};
    const ClusterModel& cluster = engine_.cluster();
    std::vector<ContainerId> running;
    cluster.containers.for_each([&](ContainerId id, const Container& container) {
      const bool is_task = container.is_launched && !container.is_master;
      if (is_task && !container.is_being_killed && !ordered_.contains(id)) running.push_back(id);
    });
    if (running.empty()) return {};
    --moves_left_;
    const ContainerId id = running[random_.below(running.size())];
    ordered_.insert(id);
    const Container& container = cluster.containers[id];
    const Ask* ask = cluster.asks.find(container.ask);
    const bool is_gang = container.units > 1 || (ask != nullptr && ask->is_gang());
    const ContainerState& state = engine_.container_state(id);
    MovedTask move{
        .job = state.job, .task = state.task, .attempt = state.attempt, .from = container.node};
    std::vector<NodeId> others;
    for (const Node& node : cluster.nodes) {
      const bool could_hold = node.alive && cluster.could_hold(node, container.resources);
      if (could_hold && node.id != container.node) others.push_back(node.id);
    }
    move.has_elsewhere = !others.empty() && !is_gang;
    if (move.has_elsewhere && random_.chance(0.5)) {
      move.destination = others[random_.below(others.size())];
    }
    moved.push_back(move);
    AdministratorRequest request{
        .kind = AdministratorCommandKind::move, .container = id, .grace = seconds(5)};
    if (move.destination.is_valid()) request.node = cluster.node(move.destination).name;
    return {request};
  }

  std::vector<MovedTask> moved;

 private:
  const Engine& engine_;
  Random random_;
  double chance_;
  int moves_left_ = 40;  // or no job would ever end
  std::set<ContainerId> ordered_;
};

}  // namespace

Story random_story(std::uint64_t seed) {
  Random random = Random::stream(seed, "story");
  Story story = story_with_outages(seed, random);
  // On ideal machines heartbeats come only after something changed, and a refusal changes nothing:
  // a scheduler that places on heartbeats would wait for one that does not come.
  if (random.chance(0.4) && !story.options.is_ideal) story.spoil_chance = 0.1;
  if (random.chance(0.4)) story.kill_chance = 0.02;
  return story;
}

Story unlucky_story(std::uint64_t seed) {
  Random random = Random::stream(seed, "unlucky story");
  Story story = story_with_outages(seed, random);
  story.options.is_ideal = false;
  if (random.chance(0.7)) story.spoil_chance = 0.1;
  if (random.chance(0.5)) add_drains(story, random, false);
  return story;
}

Story crowded_story(std::uint64_t seed) {
  Random random = Random::stream(seed, "crowded story");
  Story story;
  story.seed = seed;
  add_machines(story, random);
  if (story.machines.size() > 4) story.machines.resize(4);
  add_jobs(story, random, false);
  set_options(story, random);
  story.options.is_ideal = false;
  const auto names = std::make_shared<Names>();
  const std::array<QueueId, 2> queues{names->queues.intern("a"), names->queues.intern("b")};
  for (Job& job : story.jobs) job.queue = queues[random.below(queues.size())];
  story.names = names;
  return story;
}

Story long_story(std::uint64_t seed) {
  return drawn_out_story(seed, "long story", false);
}

Story stuck_story(std::uint64_t seed) {
  return drawn_out_story(seed, "stuck story", true);
}

Story calm_story(std::uint64_t seed) {
  Random random = Random::stream(seed, "calm story");
  Story story;
  story.seed = seed;
  add_machines(story, random);
  add_jobs(story, random, false);
  set_options(story, random);
  return story;
}

StoryResult play(const Story& story, std::string_view scheduler) {
  const auto dimensions =
      story.devices.empty() ? ResourceDimensions() : ResourceDimensions({"gpu"});
  return play(story,
              make_for_suite(scheduler, story.seed, dimensions, story.options.heartbeat_period));
}

StoryResult play(const Story& story, std::unique_ptr<Scheduler> scheduler) {
  Accounts accounts;
  EngineSetup setup;
  setup.scheduler = std::make_unique<Meddler>(std::move(scheduler), story.seed, story.spoil_chance,
                                              story.kill_chance);
  MasterOptions options;
  options.executors.executors = story.executors;
  setup.make_master = MasterBuilder(options, story.seed);
  setup.locate_input = placed_input(options, story.seed);
  setup.master_containers = story.masters;
  setup.paranoid = true;
  setup.limit_vcores = story.limit_vcores;
  setup.devices = story.devices;
  Engine engine(std::move(setup), accounts);
  VirtualFleet fleet(story.options, story.machines, story.changes);
  if (story.masters) {
    fleet.host_masters(
        make_master_host(options, story.seed, story.masters->heartbeat_interval, {}));
  }
  ListSource source(story.jobs);
  StoryResult result;
  Mover mover(story, engine);
  Duration heartbeat = story.options.heartbeat_period;
  if (story.masters) heartbeat = std::max(heartbeat, story.masters->heartbeat_interval);
  std::uint64_t rounds_left = rounds_max;
  result.replay = replay(engine, fleet, &source, nullptr,
                         [&](const ReplayProgress&) { return --rounds_left > 0; },
                         {.give_up_after = give_up_timeout(heartbeat),
                          .commands = story.commands,
                          .due_commands = [&] { return mover.requests(); }});
  result.moved = std::move(mover.moved);
  result.digest = engine.digest().to_string();
  result.counters = engine.counters();
  result.jobs = std::move(accounts.jobs);
  result.asked_back = accounts.asked_back;
  result.attempts_again = accounts.again;
  return result;
}

}  // namespace tracebed
