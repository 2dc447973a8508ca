#include "contract/random_story.h"

#include <algorithm>
#include <memory>
#include <set>
#include <utility>

#include "applications/hosting/master_host.h"
#include "applications/masters.h"
#include "contract/list_source.h"
#include "contract/meddler.h"
#include "contract/scheduler_names.h"
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

Stage random_stage(Random& random, StageKind kind, std::int64_t tasks_max, bool may_outgrow) {
  Stage stage;
  stage.kind = kind;
  // Up to more than the largest machine has, so some jobs are to be rejected.
  stage.demand =
      Resources(500 * random.between(1, random.chance(0.05) ? 40 : 6), 256 * random.between(1, 8));
  std::int64_t left = random.between(1, tasks_max);
  while (left > 0) {
    const std::int64_t count = random.between(1, left);
    Work work;
    work.duration = random_time(random, random.chance(0.2) ? std::chrono::minutes(3) : seconds(20));
    work.cpu_time = work.duration / 2;
    work.memory_mib = stage.demand.memory_mib();
    if (may_outgrow && random.chance(0.02)) work.memory_mib *= 2;
    stage.runs.push_back({static_cast<std::uint32_t>(count), work});
    left -= count;
  }
  return stage;
}

void add_stages(Job& job, Random& random, bool may_outgrow) {
  const auto count = static_cast<std::uint16_t>(random.between(1, 6));
  for (std::uint16_t index = 0; index < count; ++index) {
    Stage stage = random_stage(random, StageKind::map, 20, may_outgrow);
    for (std::uint16_t needed = 0; needed < index && job.kind == JobKind::dag; ++needed) {
      if (random.chance(0.4)) stage.needs.push_back(needed);
    }
    if (job.kind == JobKind::dag && random.chance(0.1))
      stage.delay = random_time(random, seconds(30));
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

void set_options(Story& story, Random& random) {
  story.options.is_ideal = random.chance(0.3);
  story.options.heartbeat_period = milliseconds(random.between(200, 3'000));
  story.options.out_of_band_heartbeat = random.chance(0.3);
  story.options.node_expiry = seconds(random.between(2, 120));
  story.options.seed = story.seed;
}

class Accounts final : public RecordSink {
 public:
  void attempt_ended(const AttemptRecord& record) override {
    if (!record.launched) return;
    const TaskRef task{record.stage, record.task};
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
  void preemption_ended(const PreemptionRecord&) override {}
  void sampled(const ClusterSample&) override {}

  std::map<JobId, JobAccount> jobs;
};

// The operator, who moves tasks for no reason.
class Mover {
 public:
  Mover(const Story& story, const Engine& engine)
      : engine_(engine), random_(Random::stream(story.seed, "mover")), chance_(story.move_chance) {}

  std::vector<ScheduledOrder> orders() {
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
    const bool is_gang = container.units > 1 || (ask != nullptr && ask->gang);
    MovedTask move{.job = container.job,
                   .task = container.task,
                   .attempt = container.attempt,
                   .from = container.node};
    std::vector<NodeId> others;
    for (const Node& node : cluster.nodes) {
      const bool could_hold = node.alive && container.resources.fits_in(node.capacity);
      if (could_hold && node.id != container.node) others.push_back(node.id);
    }
    move.has_elsewhere = !others.empty() && !is_gang;
    if (move.has_elsewhere && random_.chance(0.5)) {
      move.destination = others[random_.below(others.size())];
    }
    moved.push_back(move);
    ScheduledOrder order{.kind = OrderKind::move, .container = id, .grace = seconds(5)};
    if (move.destination.is_valid()) order.node = cluster.node(move.destination).name;
    return {order};
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
  Story story;
  story.seed = seed;
  add_machines(story, random);
  add_outages(story, random);
  add_jobs(story, random, random.chance(0.5));
  set_options(story, random);
  // On ideal machines heartbeats come only after something changed, and a refusal changes nothing:
  // a scheduler that places on heartbeats would wait for one that does not come.
  if (random.chance(0.4) && !story.options.is_ideal) story.spoil_chance = 0.1;
  if (random.chance(0.4)) story.kill_chance = 0.02;
  return story;
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
  Accounts accounts;
  EngineSetup setup;
  setup.scheduler = std::make_unique<Meddler>(make_for_suite(scheduler, story.seed), story.seed,
                                              story.spoil_chance, story.kill_chance);
  setup.make_master = MasterBuilder(MasterOptions(), story.seed);
  setup.master_containers = story.masters;
  setup.paranoid = true;
  Engine engine(std::move(setup), accounts);
  VirtualFleet fleet(story.options, story.machines, story.changes);
  if (story.masters) {
    fleet.host_masters(make_master_host({}, story.seed, story.masters->heartbeat_interval, {}));
  }
  ListSource source(story.jobs);
  StoryResult result;
  Mover mover(story, engine);
  result.replay =
      replay(engine, fleet, &source, nullptr, [](const ReplayProgress&) { return true; },
             {.asked_orders = [&] { return mover.orders(); }});
  result.moved = std::move(mover.moved);
  result.digest = engine.digest().to_string();
  result.counters = engine.counters();
  result.jobs = std::move(accounts.jobs);
  return result;
}

}  // namespace tracebed
