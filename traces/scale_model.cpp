#include "traces/scale_model.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "core/check.h"
#include "traces/weighted_choice.h"

namespace tracebed {
namespace {

// Of the first `count` of machines or tasks; those kept are spread evenly.
std::uint64_t kept_of(std::uint64_t count, double factor) {
  return static_cast<std::uint64_t>(std::ceil(static_cast<double>(count) / factor));
}
// The one at `index` stays if the count of those kept grows with it.
bool stays_of_all(std::uint64_t index, double factor) {
  return kept_of(index + 1, factor) > kept_of(index, factor);
}

void divide_places(InputPlaces& places, double factor) {
  if (places.is_empty()) return;
  InputPlaces kept;
  for (std::uint32_t task = 0; task < places.ends.size(); ++task) {
    if (!stays_of_all(task, factor)) continue;
    const auto of_task = places.of(task);
    kept.entries.insert(kept.entries.end(), of_task.begin(), of_task.end());
    kept.ends.push_back(static_cast<std::uint32_t>(kept.entries.size()));
  }
  kept.hosts = std::move(places.hosts);
  places = std::move(kept);
}

void divide_tasks(Stage& stage, double factor) {
  std::uint64_t before = 0;
  for (TaskRun& run : stage.runs) {
    const std::uint64_t kept = kept_of(before + run.count, factor) - kept_of(before, factor);
    before += run.count;
    run.count = static_cast<std::uint32_t>(kept);
  }
  std::erase_if(stage.runs, [](const TaskRun& run) { return run.count == 0; });
  divide_places(stage.places, factor);
}

double unchanged(const ScaleFactors&) {
  return 1;
}

Resources scale_resources(Resources amounts, const ScaleFactors& factors) {
  auto& vcores = amounts[Resources::vcores_dimension];
  auto& memory = amounts[Resources::memory_dimension];
  vcores = scale_down(vcores, factors.cpu);
  memory = scale_down(memory, factors.memory);
  return amounts;
}

double total_vcores(const std::vector<Machine>& machines) {
  double vcores = 0;
  for (const Machine& machine : machines) {
    vcores += static_cast<double>(machine.capacity.milli_vcores()) / 1000;
  }
  return vcores;
}

double total_mib(const std::vector<Machine>& machines) {
  double mib = 0;
  for (const Machine& machine : machines) mib += static_cast<double>(machine.capacity.memory_mib());
  return mib;
}

ScaleComparison compared(std::string statistic, double before, double after, double expected) {
  const double deviation = expected != 0 ? after / expected - 1 : (after != 0 ? 1 : 0);
  return {std::move(statistic), before, after, expected, deviation};
}

}  // namespace

Status check_scale(const ScaleFactors& factors) {
  struct Range {
    const char* name;
    double value;
    double low;
  };
  for (const Range& range :
       {Range{"time", factors.time, 1e-6}, Range{"cpu", factors.cpu, 1e-3},
        Range{"memory", factors.memory, 1e-3}, Range{"data", factors.data, 1e-3},
        Range{"machines", factors.machines, 1}, Range{"thin", factors.thin, 1},
        Range{"stretch", factors.stretch, 1e-6}, Range{"tasks", factors.tasks, 1}}) {
    constexpr double high = 1e9;
    if (!(range.value >= range.low && range.value <= high)) {
      return Error{fmt::format("scale factor {}: expected a number from {} to {}, got {}",
                               range.name, range.low, high, range.value)};
    }
  }
  return success();
}

std::int64_t scale_down(std::int64_t amount, double factor) {
  TRACEBED_CHECK(amount >= 0, "what is scaled is not negative");
  if (amount == 0 || factor == 1) return amount;
  const double scaled = std::floor(static_cast<double>(amount) / factor + 0.5);
  constexpr double largest = 9e18;
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(std::min(scaled, largest)));
}

std::vector<Machine> scale_machines(const std::vector<Machine>& machines,
                                    const ScaleFactors& factors) {
  std::vector<Machine> scaled;
  for (std::size_t i = 0; i < machines.size(); ++i) {
    if (!stays_of_all(i, factors.machines)) continue;
    scaled.push_back(machines[i]);
    scaled.back().capacity = scale_resources(machines[i].capacity, factors);
  }
  return scaled;
}

std::vector<MachineChange> scale_changes(const std::vector<MachineChange>& changes,
                                         std::size_t machine_count, const ScaleFactors& factors) {
  std::vector<NodeId> new_ids(machine_count);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < machine_count; ++i) {
    if (stays_of_all(i, factors.machines)) new_ids[i] = NodeId(kept++);
  }
  std::vector<MachineChange> scaled;
  for (MachineChange change : changes) {
    TRACEBED_CHECK(change.node.index() < machine_count, "a change names a machine of the list");
    change.node = new_ids[change.node.index()];
    if (change.node.is_valid()) scaled.push_back(change);
  }
  return scaled;
}

ScaledWorkload::ScaledWorkload(WorkloadSource& source, const ScaleFactors& factors)
    : source_(source),
      factors_(factors),
      changes_jobs_(factors.cpu != 1 || factors.memory != 1 || factors.data != 1 ||
                    factors.stretch != 1 || factors.tasks != 1) {
  TRACEBED_CHECK(check_scale(factors).has_value(), "scale factors were checked");
}

bool ScaledWorkload::next(Job& job) {
  Job recorded;
  while (source_.next(job)) {
    before_.add(job);
    if (shapes_before_ != nullptr) shapes_before_->add(job);
    if (!stays(position_++)) continue;
    if (rounding_ != nullptr && changes_jobs_) recorded = job;
    if (changes_jobs_) scale(job);
    if (rounding_ != nullptr && changes_jobs_) add_job(recorded, job, factors_, *rounding_);
    job.id = JobId(kept_++);
    after_.add(job);
    if (shapes_after_ != nullptr) shapes_after_->add(job);
    return true;
  }
  return false;
}

void ScaledWorkload::measure_into(JobShapes& before, JobShapes& after, ScaleRounding& rounding) {
  shapes_before_ = &before;
  shapes_after_ = &after;
  rounding_ = &rounding;
}

// By hash of seed and position, so that a job's fate does not depend on the others'.
bool ScaledWorkload::stays(std::uint64_t position) const {
  if (factors_.thin == 1) return true;
  return unit_draw(factors_.seed ^ 0x7468696E, position) * factors_.thin < 1;
}

void ScaledWorkload::scale(Job& job) const {
  // Divided by 1/stretch, so that the rounding is the stated one.
  job.submit = trace_time(scale_down(to_microseconds(job.submit), 1 / factors_.stretch));
  for (Stage& stage : job.stages) {
    if (factors_.tasks != 1) divide_tasks(stage, factors_.tasks);
    stage.demand = scale_resources(stage.demand, factors_);
    for (TaskRun& run : stage.runs) {
      Work& work = run.work;
      work.cpu_time = microseconds(scale_down(work.cpu_time.count(), factors_.cpu));
      work.memory_mib = scale_down(work.memory_mib, factors_.memory);
      work.input_bytes = scale_down(work.input_bytes, factors_.data);
      work.shuffle_bytes = scale_down(work.shuffle_bytes, factors_.data);
      work.output_bytes = scale_down(work.output_bytes, factors_.data);
    }
  }
}

std::vector<ScaleStatement> scale_statements(const ScaleFactors& factors) {
  std::vector<ScaleStatement> statements;
  const auto add = [&](double value, const char* text, const char* stays, const char* changes) {
    if (value != 1) statements.push_back({fmt::format("{} {:.6g}", text, value), stays, changes});
  };
  add(factors.time, "time ÷",
      "order of submissions, ratios of all times, load, decisions that depend on trace time",
      "wall time of the run; fixed real costs (launch, network) weigh that many times more");
  add(factors.cpu, "cpu ÷",
      "durations, ratios of demands, tasks that fit beside each other, load of vcores",
      "CPU time used; shares below a milli-vcore become one");
  add(factors.memory, "memory ÷",
      "durations, ratios of demands, tasks that fit beside each other, load of memory",
      "memory touched; demands below a MiB become one");
  add(factors.data, "data ÷", "durations, task counts, ratios of bytes",
      "bytes moved, and so the time for moving them in the real worlds");
  add(factors.machines, "machines ÷", "capacity of each machine, order of the machines",
      "number of machines and racks; the load grows unless arrivals are thinned or stretched "
      "alike");
  add(factors.thin, "jobs ÷",
      "submit times, and the distributions of sizes and gangs, up to chance",
      "number of jobs and load; bursts and chains of jobs of one user are thinned too");
  add(factors.stretch, "gaps ×", "every job, order of submissions, ratios of gaps",
      "load, and how a job's length compares with the time of day");
  add(factors.tasks, "tasks ÷",
      "number of jobs, submit times, demand and use of each task, order of jobs by size",
      "width of stages and gangs, bytes and load; a stage keeps one task at least, so that small "
      "jobs shrink less than large ones");
  return statements;
}

JobShapes::JobShapes() {
  // So many different values are told exactly.
  constexpr std::size_t exact_max = 100'000;
  const auto add = [this](const char* name, double per_unit,
                          double (*change)(const ScaleFactors&)) {
    shapes_.push_back({name, per_unit, change, Quantiles(exact_max)});
  };
  add("gap between jobs, s", 1e6,
      [](const ScaleFactors& factors) { return factors.stretch * factors.thin; });
  add("tasks of a job", 1, [](const ScaleFactors& factors) { return 1 / factors.tasks; });
  add("longest task of a job, s", 1e6, unchanged);
  add("vcore-seconds of a job", 1e3,
      [](const ScaleFactors& factors) { return 1 / (factors.cpu * factors.tasks); });
}

void JobShapes::add(const Job& job) {
  const auto rounded = [](double value) {
    constexpr double largest = 9e18;
    return static_cast<std::int64_t>(std::min(std::round(value), largest));
  };
  if (last_submit_) shapes_[0].values.add((job.submit - *last_submit_).count());
  last_submit_ = job.submit;
  shapes_[1].values.add(static_cast<std::int64_t>(task_count(job)));
  shapes_[2].values.add(longest_task(job).count());
  shapes_[3].values.add(rounded(vcore_seconds(job) * 1000));
}

double load_of_vcores(const WorkloadTotals& totals, const std::vector<Machine>& machines) {
  const double vcores = total_vcores(machines);
  return vcores > 0 ? totals.offered_vcores() / vcores : 0;
}

std::vector<ScaleComparison> compare_scaled(const WorkloadTotals& before,
                                            const WorkloadTotals& after,
                                            const std::vector<Machine>& machines_before,
                                            const std::vector<Machine>& machines_after,
                                            const ScaleFactors& factors, JobShapes* shapes_before,
                                            JobShapes* shapes_after) {
  std::vector<ScaleComparison> rows;
  const double jobs_before = static_cast<double>(before.jobs());
  const double jobs_after = static_cast<double>(after.jobs());
  const auto add = [&](const char* statistic, double was, double is, double divisor) {
    rows.push_back(compared(statistic, was, is, was / divisor));
  };
  const auto each = [](double sum, double count) { return count > 0 ? sum / count : 0; };
  add("jobs", jobs_before, jobs_after, factors.thin);
  add("tasks", static_cast<double>(before.tasks()), static_cast<double>(after.tasks()),
      factors.thin * factors.tasks);
  add("tasks of a job, mean", each(static_cast<double>(before.tasks()), jobs_before),
      each(static_cast<double>(after.tasks()), jobs_after), factors.tasks);
  add("task duration, mean s", before.mean_task_seconds(), after.mean_task_seconds(), 1);
  add("span of submissions, s", to_seconds(before.span()), to_seconds(after.span()),
      1 / factors.stretch);
  add("vcore-seconds of a job, mean", each(before.vcore_seconds(), jobs_before),
      each(after.vcore_seconds(), jobs_after), factors.cpu * factors.tasks);
  add("MiB-seconds of a job, mean", each(before.mib_seconds(), jobs_before),
      each(after.mib_seconds(), jobs_after), factors.memory * factors.tasks);
  add("bytes of a job, mean",
      each(before.input_bytes() + before.shuffle_bytes() + before.output_bytes(), jobs_before),
      each(after.input_bytes() + after.shuffle_bytes() + after.output_bytes(), jobs_after),
      factors.data * factors.tasks);
  if (!machines_before.empty() && !machines_after.empty()) {
    const double arrivals = factors.thin * factors.stretch * factors.tasks / factors.machines;
    add("load of vcores", load_of_vcores(before, machines_before),
        load_of_vcores(after, machines_after), arrivals);
    add("load of memory", before.offered_mib() / total_mib(machines_before),
        after.offered_mib() / total_mib(machines_after), arrivals);
  }
  if (shapes_before == nullptr || shapes_after == nullptr) return rows;
  for (std::size_t i = 0; i < shapes_before->shapes().size(); ++i) {
    JobShapes::Shape& was = shapes_before->shapes()[i];
    for (const unsigned percent : {50u, 90u, 99u}) {
      const auto value = [&](Quantiles& values) {
        return static_cast<double>(values.percentile(percent)) / was.per_unit;
      };
      const double trace_value = value(was.values);
      rows.push_back(compared(fmt::format("{}, p{}", was.name, percent), trace_value,
                              value(shapes_after->shapes()[i].values),
                              trace_value * was.change(factors)));
    }
  }
  return rows;
}

}  // namespace tracebed
