#include "bench/verdict_runs.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <iterator>

#include "applications/masters.h"
#include "contract/list_source.h"
#include "coordinator/engine/replay.h"
#include "coordinator/virtual/virtual_fleet.h"
#include "support/scheduler_parameters.h"
#include "support/schedulers.h"

namespace tracebed {
namespace {

RunFolder empty_run(const std::string& label, std::uint64_t seed) {
  RunFolder run;
  run.folder = fmt::format("{}-{}", label, seed);
  run.description.scheduler_label = run.description.scheduler_name = label;
  run.description.world = "virtual";
  run.description.seed = seed;
  return run;
}

// A run's factors of both sides of a pair.
std::array<double, 2> draw_run_effects(const RowModel& model, Random& random) {
  const double spread = model.run_spread;
  switch (model.effect) {
    case RunEffect::normal:
      return {1 + spread * random.normal(), 1 + spread * random.normal()};
    case RunEffect::skewed:
      return {1 + spread * (random.exponential(1) - 1), 1 + spread * (random.exponential(1) - 1)};
    case RunEffect::two_values:
      return {1 + (random.chance(0.5) ? spread : -spread),
              1 + (random.chance(0.5) ? spread : -spread)};
    case RunEffect::with_partner:
    case RunEffect::against_partner: {
      const double shared = random.normal();
      const double sign = model.effect == RunEffect::with_partner ? 1 : -1;
      const auto one = [&](double of_shared) {
        return 1 + spread * (0.9 * of_shared + 0.436 * random.normal());  // 0.81 + 0.19 = 1
      };
      const double first = one(shared);
      return {first, one(sign * shared)};
    }
  }
  return {1, 1};
}

class FigureSink final : public RecordSink {
 public:
  void attempt_ended(const AttemptRecord&) override {}
  void job_ended(const JobRecord& record) override {
    JobFigures job;
    job.job = record.job;
    job.user = record.user;
    job.queue = record.queue;
    job.outcome = record.outcome;
    job.submitted = record.submitted;
    if (record.first_allocated != never) job.wait = record.first_allocated - record.submitted;
    job.jct = record.finished - record.submitted;
    job.ideal = record.ideal;
    jobs_.push_back(job);
    series_.job_ended(record.finished);
    last_end_ = std::max(last_end_, record.finished);
  }
  void preemption_ended(const PreemptionRecord&) override {}
  void sampled(const ClusterSample& sample) override { series_.sampled(sample); }

  void finish(RunFolder& run) {
    std::sort(jobs_.begin(), jobs_.end(),
              [](const JobFigures& a, const JobFigures& b) { return a.job < b.job; });
    run.jobs = std::move(jobs_);
    run.parts.resize(run.jobs.size());
    run.series = series_.finish(last_end_);
    run.series.intervals.clear();
  }

 private:
  std::vector<JobFigures> jobs_;
  ClusterSeriesBuilder series_{2};
  TraceTime last_end_{};
};

}  // namespace

std::string_view name(RunEffect effect) {
  constexpr std::array names{"normal", "skewed", "two values", "with partner", "against partner"};
  return names[static_cast<std::size_t>(effect)];
}

std::vector<double> draw_trace(const RowModel& model, Random& random) {
  std::vector<double> seconds(model.jobs);
  for (double& value : seconds) value = random.lognormal(4, 1);
  return seconds;
}

std::vector<RunFolder> draw_runs(const RowModel& model, const std::vector<double>& trace,
                                 std::size_t repetitions, double planted, Random& random) {
  std::vector<RunFolder> runs;
  std::vector<RunFolder> of_candidate;
  const double innovation = std::sqrt(1 - model.correlation * model.correlation);
  for (std::size_t r = 0; r < repetitions; ++r) {
    const std::array<double, 2> effects = draw_run_effects(model, random);
    for (const bool is_candidate : {false, true}) {
      RunFolder run = empty_run(is_candidate ? "candidate" : "baseline", r + 1);
      run.end.digest = fmt::format("{}", random.next());
      const double factor = effects[is_candidate ? 1 : 0] * (is_candidate ? 1 + planted : 1);
      double state = random.normal();
      for (std::size_t i = 0; i < trace.size(); ++i) {
        state = model.correlation * state + innovation * random.normal();
        JobFigures job;
        job.job = JobId(i);
        job.user = UserId(std::uint32_t{0});
        job.submitted = TraceTime(seconds(static_cast<std::int64_t>(10 * i)));
        const double took = trace[i] * factor * std::exp(model.job_spread * state);
        job.jct = Duration(static_cast<std::int64_t>(1e6 * took));
        job.wait = job.jct / 2;
        job.ideal = Duration(static_cast<std::int64_t>(1e6 * trace[i] / 2));
        run.jobs.push_back(job);
      }
      run.parts.resize(run.jobs.size());
      run.series.utilisation = {0.5 * factor, 0.25 * factor};
      (is_candidate ? of_candidate : runs).push_back(std::move(run));
    }
  }
  std::move(of_candidate.begin(), of_candidate.end(), std::back_inserter(runs));
  return runs;
}

void set_load(SmallWorkload& workload, double load) {
  double work = 0;  // vcore seconds
  for (const Job& job : workload.jobs) {
    for (const Stage& stage : job.stages) {
      for (const TaskRun& tasks : stage.runs) {
        work += to_seconds(tasks.work.duration) * tasks.count *
                static_cast<double>(stage.demand.milli_vcores()) / 1000;
      }
    }
  }
  double vcores = 0;
  for (const Machine& machine : workload.machines) {
    vcores += static_cast<double>(machine.capacity.milli_vcores()) / 1000;
  }
  const TraceTime first = workload.jobs.front().submit;
  const double span = std::max(1.0, to_seconds(workload.jobs.back().submit - first));
  const double stretch = work / (vcores * load) / span;
  for (Job& job : workload.jobs) {
    job.submit = TraceTime(Duration(
        static_cast<std::int64_t>(stretch * static_cast<double>((job.submit - first).count()))));
  }
}

std::vector<Job> shaken(const std::vector<Job>& jobs, Duration by, std::uint64_t seed) {
  Random random = Random::stream(seed, "shaken submissions");
  std::vector<Job> moved = jobs;
  std::vector<TraceTime> times;
  for (const Job& job : jobs) {
    times.push_back(
        std::max(TraceTime(), job.submit + Duration(random.between(-by.count(), by.count()))));
  }
  std::sort(times.begin(), times.end());
  for (std::size_t i = 0; i < moved.size(); ++i) moved[i].submit = times[i];
  return moved;
}

RunFolder run_small(const SmallWorkload& workload, const std::vector<Job>& jobs,
                    const std::string& scheduler, std::uint64_t seed) {
  SchedulerParameters parameters = test::parameters_for(scheduler);
  parameters.names = &workload.names;
  parameters.seed = seed;
  FigureSink sink;
  EngineSetup setup;
  setup.scheduler = std::move(test::schedulers().make(scheduler, parameters).value());
  setup.make_master = MasterBuilder(MasterOptions{}, seed);
  Engine engine(std::move(setup), sink);
  VirtualOptions options;
  options.seed = seed;
  VirtualFleet fleet(options, workload.machines, {});
  ListSource source(jobs);
  replay(engine, fleet, &source, nullptr, [](const ReplayProgress&) { return true; });
  RunFolder run = empty_run(scheduler, seed);
  run.end.digest = engine.digest().to_string();
  sink.finish(run);
  return run;
}

}  // namespace tracebed
