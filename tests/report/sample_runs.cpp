#include "report/sample_runs.h"

#include <algorithm>
#include <optional>
#include <set>
#include <tuple>

#include "core/digest.h"
#include "core/random.h"

namespace tracebed {
namespace {

struct Running {
  TraceTime reported{};
  std::size_t job = 0;
  std::size_t machine = 0;
  auto key() const { return std::tuple(reported, job); }
  bool operator<(const Running& other) const { return key() < other.key(); }
};

class SampleRun {
 public:
  SampleRun(const SampleCluster& cluster, const std::vector<SampleJob>& jobs, const Names& names,
            RecordSink& sink)
      : cluster_(cluster),
        jobs_(jobs),
        names_(names),
        sink_(sink),
        random_(Random::stream(cluster.repetition, cluster.world)),
        attempts_(jobs.size()) {
    for (std::size_t m = cluster.machines; m-- > 0;) idle_.push_back(m);
  }

  Digest run() {
    sample(TraceTime());
    std::size_t next = 0;
    while (next < jobs_.size() || !running_.empty()) {
      const TraceTime arrival = next < jobs_.size() ? jobs_[next].submit : never;
      const TraceTime end = running_.empty() ? never : running_.begin()->reported;
      const TraceTime now = std::min(arrival, end);
      if (end == now) {
        finish(*running_.begin());
      } else {
        waiting_.push_back(next++);
      }
      start_waiting(now);
      sample(now);
    }
    return digest_;
  }

 private:
  void start_waiting(TraceTime now) {
    while (!waiting_.empty() && !idle_.empty()) {
      const auto chosen = cluster_.shortest_first
                              ? std::min_element(waiting_.begin(), waiting_.end(),
                                                 [&](std::size_t a, std::size_t b) {
                                                   return std::tuple(jobs_[a].duration, a) <
                                                          std::tuple(jobs_[b].duration, b);
                                                 })
                              : waiting_.begin();
      start(now, *chosen, idle_.back());
      waiting_.erase(chosen);
      idle_.pop_back();
    }
  }

  void start(TraceTime now, std::size_t job, std::size_t machine) {
    AttemptRecord& record = attempts_[job];
    record.application = ApplicationId(job);
    record.job = JobId(job);
    record.user = *names_.users.find(jobs_[job].user);
    record.queue = QueueId(std::uint32_t{0});
    record.launched = true;
    record.container = ContainerId(job);
    record.node = NodeId(machine);
    record.locality = machine % 2 == 0 ? Locality::node : Locality::rack;
    record.resources = Resources(4000, 8192);
    record.asked = jobs_[job].submit;
    record.allocated = now;
    record.nominal = jobs_[job].duration;
    record.account.started = now + cluster_.launch_latency;
    const double stretch = 1 + cluster_.contention * random_.unit();
    record.account.ended =
        record.account.started +
        Duration(static_cast<std::int64_t>(static_cast<double>(record.nominal.count()) * stretch));
    record.account.cpu_time = record.nominal;
    record.reported = record.account.ended + cluster_.heartbeat_delay;
    running_.insert({record.reported, job, machine});
    digest_.add(now);
    digest_.add(JobId(job));
  }

  void finish(const Running& ended) {
    const std::size_t job = ended.job;
    idle_.push_back(ended.machine);
    const AttemptRecord& attempt = attempts_[job];
    sink_.attempt_ended(attempt);
    JobRecord record;
    record.application = ApplicationId(job);
    record.job = JobId(job);
    record.name = "job_" + std::to_string(job);
    record.user = *names_.users.find(jobs_[job].user);
    record.queue = QueueId(std::uint32_t{0});
    record.tasks = 1;
    record.attempts = 1;
    record.due = jobs_[job].submit;
    record.submitted = jobs_[job].submit;
    record.first_allocated = attempt.allocated;
    record.finished = attempt.reported;
    record.ideal = jobs_[job].duration;
    sink_.job_ended(record);
    running_.erase(running_.begin());
  }

  void sample(TraceTime now) {
    const auto machines = static_cast<std::int64_t>(cluster_.machines);
    const auto busy = static_cast<std::int64_t>(running_.size());
    sink_.sampled({.at = now,
                   .capacity = Resources(4000, 16384) * machines,
                   .allocated = Resources(4000, 8192) * busy,
                   .containers = static_cast<std::uint32_t>(busy),
                   .jobs_open = static_cast<std::uint32_t>(running_.size() + waiting_.size()),
                   .jobs_waiting = static_cast<std::uint32_t>(waiting_.size())});
  }

  const SampleCluster& cluster_;
  const std::vector<SampleJob>& jobs_;
  const Names& names_;
  RecordSink& sink_;
  Random random_;
  Digest digest_;
  std::vector<AttemptRecord> attempts_;
  std::vector<std::size_t> waiting_;  // jobs, in the order of submission
  std::vector<std::size_t> idle_;     // machines
  std::set<Running> running_;
};

}  // namespace

std::vector<SampleJob> sample_jobs(std::size_t count, std::uint64_t seed) {
  Random random = Random::stream(seed, "sample jobs");
  std::vector<SampleJob> jobs;
  TraceTime now{};
  for (std::size_t i = 0; i < count; ++i) {
    now += Duration(static_cast<std::int64_t>(random.exponential(30e6)));
    const bool is_long = random.chance(0.1);
    const double seconds = is_long ? random.lognormal(6, 0.5) : random.lognormal(3.6, 0.9);
    jobs.push_back({now, Duration(static_cast<std::int64_t>(seconds * 1e6)),
                    is_long ? "batch" : "user" + std::to_string(random.below(4))});
  }
  return jobs;
}

RunDescription sample_description(const SampleCluster& cluster) {
  RunDescription description;
  description.software_version = "0.1.0";
  description.build_type = "Release";
  description.started = "2026-01-02T03:04:05Z";
  description.experiment_name = "Made-up queue";
  description.experiment_file = "queue.toml";
  description.experiment_text = "# made up\n[trace]\nfile = \"queue.swf\"\n";
  description.scheduler_label = cluster.label;
  description.scheduler_name = cluster.shortest_first ? "shortest" : "fifo";
  if (cluster.shortest_first) description.scheduler_settings = {{"preempt", "false"}};
  description.differences = {"made-up"};
  description.seed = 100 + cluster.repetition;
  description.repetition = cluster.repetition;
  description.world = cluster.world;
  description.time_scale = cluster.world == "virtual" ? 1 : 60;
  description.isolation = cluster.world == "virtual" ? "modelled" : "cgroup-v2";
  description.trace = {"queue.swf", 12345, "00112233445566778899aabbccddeeff"};
  description.trace_format = "swf";
  description.trace_selection = {{"jobs_max", "400"}};
  description.rules = {{"users", "as given"}};
  description.scale = {{"cpu", "1"}, {"memory", "8"}};
  description.scale_effects = {{"memory ÷ 8, stays", "load of memory"}};
  for (std::size_t m = 0; m < cluster.machines; ++m) {
    description.machines.push_back({"node" + std::to_string(m),
                                    m % 2 == 0 ? "/rack-a" : "/rack-b",
                                    Resources(4000, 16384),
                                    {}});
  }
  description.changes = {{trace_time(5'000'000), NodeId(std::uint32_t{1}), true}};
  return description;
}

RunMetrics write_sample_run(const std::filesystem::path& folder, const SampleCluster& cluster,
                            const std::vector<SampleJob>& jobs) {
  Names names;
  names.queues.intern("default");
  for (const SampleJob& job : jobs) names.users.intern(job.user);
  RunFolderWriter writer(folder, sample_description(cluster), names, {});
  RunEnd end;
  end.digest = SampleRun(cluster, jobs, names, writer).run().to_string();
  end.wall_seconds = 1.5;
  end.counters = {{"rounds", 2 * jobs.size()}};
  return writer.finish(end);
}

}  // namespace tracebed
