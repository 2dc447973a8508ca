// How often a comparison calls a policy better or worse than itself, and how often it finds a
// difference that is there.
//
//   verdicts_bench [WORKLOADS [ROWS]]
//
// WORKLOADS (1,000) small workloads each run forty times under one scheduler, with forty seeds:
// jobs of Facebook's model and rigid ones, and windows of real traces where TRACEBED_TRACES names
// their folder; loads from 5 % to more than there is. Their runs are compared with each other in
// groups of 1 to 20 repetitions: every verdict is false. In half of the workloads baseline and
// candidate have seeds of their own; in the others the seeds are the same and shake the trace,
// while all else is drawn for each side. ROWS (1,000) comparisons of each kind are made of rows
// drawn from a model.
//
// Fails (1) if a rate is out of its bound: false verdicts on the primary figure at most 5 % (upper
// end of the 95 % interval after Wilson: 6.5 %), of any figure at most 5 %, wherever there are
// 1,000 comparisons or more; ten repetitions that vary by 2 % find a true difference of 5 % in at
// least 80 %.
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fmt/format.h>
#include <mutex>
#include <span>
#include <string>
#include <thread>

#include "bench/verdict_rates.h"
#include "bench/verdict_runs.h"
#include "report/comparison.h"
#include "support/temporary_folder.h"
#include "traces/generate_map_reduce.h"
#include "traces/generate_rigid.h"
#include "traces/open_trace.h"

namespace tracebed {
namespace {

constexpr std::array<std::size_t, 6> repetition_counts{1, 2, 3, 6, 10, 20};
constexpr std::array loads{0.05, 0.2, 0.5, 0.8, 0.95, 1.3};
constexpr std::array schedulers{"fcfs", "fifo", "fair", "capacity", "spread", "binpack", "random"};

bool is_verdict(const FigureDifference& figure) {
  return figure.verdict == Verdict::better || figure.verdict == Verdict::worse;
}

Rates rates_of(std::span<const RunFolder> runs) {
  const Comparison comparison = compare(runs, {});
  const WorldComparison& world = comparison.worlds.at(0);
  const std::vector<FigureDifference>& figures = world.candidates.at(0).differences;
  const FigureDifference& primary = figures[world.primary.value()];
  Rates rates{.comparisons = 1};
  rates.primary = is_verdict(primary) ? 1 : 0;
  rates.any = std::any_of(figures.begin(), figures.end(), is_verdict) ? 1 : 0;
  rates.settled = primary.verdict == Verdict::no_difference ? 1 : 0;
  rates.wrong = primary.verdict == Verdict::better ? 1 : 0;
  rates.sure = primary.p_corrected && *primary.p_corrected <= test_level ? 1 : 0;
  return rates;
}

// Calls `work(n)` for n below `count`, on all processors.
template <class Work>
void for_each_of(std::size_t count, Work work) {
  std::atomic<std::size_t> next{0};
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < std::max(1U, std::thread::hardware_concurrency()); ++t) {
    threads.emplace_back([&] {
      for (std::size_t n = next++; n < count; n = next++) work(n);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

// ---- runs ----

struct Source {
  std::string name;
  std::string file;  // empty: generated for each workload
  bool is_rigid = false;
};

std::vector<Source> sources() {
  std::vector<Source> all{
      {"Facebook's model", "", false}, {"uniform rigid", "", true}, {"Lublin's model", "", true}};
  const char* const folder = std::getenv("TRACEBED_TRACES");
  if (folder == nullptr) return all;
  for (const auto& [name, file, is_rigid] :
       {Source{"FB-2009", "swim/FB-2009_samples_24_times_1hr_0.tsv", false},
        Source{"KTH-SP2", "swf/KTH-SP2-1996-2.1-cln.swf", true},
        Source{"NASA-iPSC", "swf/NASA-iPSC-1993-3.1-cln.swf.gz", true}}) {
    const std::string path = std::string(folder) + "/" + file;
    if (std::filesystem::exists(path)) all.push_back({name, path, is_rigid});
  }
  return all;
}

std::string generated(const Source& source, const TemporaryFolder& scratch, std::size_t jobs,
                      std::uint64_t seed) {
  const std::string file =
      scratch.file(fmt::format("{}{}", seed, source.is_rigid ? ".swf" : ".tsv"));
  if (!source.is_rigid) {
    MapReduceModel model;
    model.jobs = jobs;
    model.data_divisor = 10;
    model.flatten = 0.7;
    model.seed = seed;
    generate_map_reduce(model, file);
  } else if (source.name.starts_with("Lublin")) {
    generate_rigid(LublinModel{.jobs = jobs, .processors = 64, .seed = seed}, file);
  } else {
    generate_rigid(UniformRigidModel{.jobs = jobs, .cores = 64, .seed = seed}, file);
  }
  return file;
}

// Tasks of a large job would take most of the time and tell nothing more.
void bound_tasks(Job& job) {
  constexpr std::uint32_t tasks_max = 40;
  for (Stage& stage : job.stages) {
    for (TaskRun& run : stage.runs) run.count = std::min(run.count, tasks_max);
  }
}

SmallWorkload small_workload(const Source& source, const TemporaryFolder& scratch,
                             std::uint64_t seed) {
  Random random = Random::stream(seed, "workload");
  const auto jobs = static_cast<std::size_t>(random.between(40, 150));
  SmallWorkload workload;
  const std::string file =
      source.file.empty() ? generated(source, scratch, jobs, seed) : source.file;
  const auto reader = open_trace(file, {}, workload.names);
  const std::uint64_t skipped = source.file.empty() ? 0 : random.below(3'000);
  Job job;
  for (std::uint64_t n = 0; workload.jobs.size() < jobs && reader->next(job); ++n) {
    if (n < skipped) continue;
    if (!source.is_rigid) bound_tasks(job);
    job.id = JobId(workload.jobs.size());
    workload.jobs.push_back(job);
  }
  if (source.file.empty()) std::filesystem::remove(file);
  const std::size_t machines = source.is_rigid ? 16 : 10;
  for (std::size_t m = 0; m < machines; ++m) {
    workload.machines.push_back(
        {fmt::format("node{}", m), fmt::format("/rack{}", m / 5), Resources(8'000, 32'768), {}});
  }
  return workload;
}

struct FalseVerdicts {
  Table by_repetitions{"A policy against itself on modelled machines, by repetitions"};
  Table by_load{"The same, by load"};
  Table by_scheduler{"The same, by scheduler (2 repetitions and more)"};
  Table by_source{"The same, by trace (2 repetitions and more)"};
  Table by_seeds{"The same, by seeds"};
  std::uint64_t runs = 0;

  void add(const FalseVerdicts& other) {
    by_repetitions.add(other.by_repetitions);
    by_load.add(other.by_load);
    by_scheduler.add(other.by_scheduler);
    by_source.add(other.by_source);
    by_seeds.add(other.by_seeds);
    runs += other.runs;
  }
};

FalseVerdicts compare_with_itself(const std::vector<Source>& all, const TemporaryFolder& scratch,
                                  std::size_t n) {
  constexpr std::size_t pool = 40;
  const Source& source = all[n % all.size()];
  const double load = loads[n / all.size() % loads.size()];
  Random random = Random::stream(n, "what is compared");
  // Rigid jobs are pieces of a gang, which the others give one by one.
  const std::string scheduler = schedulers[random.below(schedulers.size())];
  const bool is_paired = random.chance(0.5);
  SmallWorkload workload = small_workload(source, scratch, n);
  set_load(workload, load);
  std::vector<RunFolder> runs;
  for (std::size_t r = 0; r < pool; ++r) {
    const std::vector<Job> jobs =
        is_paired ? shaken(workload.jobs, seconds(30), 1'000 * n + r / 2) : workload.jobs;
    runs.push_back(run_small(workload, jobs, scheduler, mix(pool * n + r)));
  }
  FalseVerdicts result;
  result.runs = pool;
  for (const std::size_t repetitions : repetition_counts) {
    for (std::size_t first = 0; first + 2 * repetitions <= pool; first += 2 * repetitions) {
      const std::span compared(runs.data() + first, 2 * repetitions);
      for (std::size_t r = 0; r < compared.size(); ++r) {
        RunDescription& description = compared[r].description;
        description.scheduler_label = r % 2 == 1 ? "candidate" : "baseline";
        description.seed = is_paired ? r / 2 : r;
      }
      const Rates rates = rates_of(compared);
      result.by_repetitions.add("all", repetitions, rates);
      result.by_load.add(fmt::format("load {:3.0f} %", 100 * load), repetitions, rates);
      if (repetitions == 1) continue;
      result.by_scheduler.add(scheduler, 0, rates);
      result.by_source.add(source.name, 0, rates);
      result.by_seeds.add(is_paired ? "in pairs" : "of their own", repetitions, rates);
    }
  }
  return result;
}

bool measure_runs(std::size_t workloads) {
  const TemporaryFolder scratch;
  const std::vector<Source> all = sources();
  FalseVerdicts total;
  std::mutex mutex;
  for_each_of(workloads, [&](std::size_t n) {
    const FalseVerdicts result = compare_with_itself(all, scratch, n);
    const std::lock_guard lock(mutex);
    total.add(result);
  });
  fmt::print("{} workloads, {} runs\n", workloads, total.runs);
  bool is_good = total.by_repetitions.print_false_verdicts(true);
  is_good &= total.by_load.print_false_verdicts(true);
  is_good &= total.by_scheduler.print_false_verdicts(true);
  is_good &= total.by_source.print_false_verdicts(true);
  is_good &= total.by_seeds.print_false_verdicts(true);
  return is_good;
}

// ---- rows ----

Rates rates_of_rows(const RowModel& model, std::size_t repetitions, double planted,
                    std::uint64_t seed) {
  Random random = Random::stream(seed, "rows");
  const std::vector<double> trace = draw_trace(model, random);
  return rates_of(draw_runs(model, trace, repetitions, planted, random));
}

Table measure_rows(const std::string& title,
                   const std::vector<std::pair<std::string, RowModel>>& of,
                   const std::vector<double>& planted, std::size_t comparisons) {
  Table table(title);
  std::mutex mutex;
  std::uint64_t kind = 0;
  for (const auto& [label, model] : of) {
    for (const double difference : planted) {
      ++kind;
      const std::string row =
          difference == 0 ? label : fmt::format("{:2.0f} %{}", 100 * difference, label);
      for (const std::size_t repetitions : repetition_counts) {
        for_each_of(comparisons, [&](std::size_t n) {
          const Rates rates = rates_of_rows(model, repetitions, difference,
                                            (kind * 100 + repetitions) * 1'000'000 + n);
          const std::lock_guard lock(mutex);
          table.add(row, repetitions, rates);
        });
      }
    }
  }
  return table;
}

bool measure_rows(std::size_t comparisons) {
  std::vector<std::pair<std::string, RowModel>> equal;
  for (const double correlation : {0.0, 0.5, 0.9, 0.97}) {
    RowModel model;
    model.correlation = correlation;
    model.job_spread = 0.5;
    model.run_spread = 0;
    equal.emplace_back(fmt::format("no run effect, AR {}", correlation), model);
    model.run_spread = 0.05;
    model.job_spread = 0.1;
    equal.emplace_back(fmt::format("run effect 5 %, AR {}", correlation), model);
  }
  for (const RunEffect effect : all_run_effects) {
    RowModel model;
    model.effect = effect;
    equal.emplace_back(fmt::format("5 %, {}", name(effect)), model);
  }
  bool is_good = measure_rows("Rows without a difference", equal, {0}, comparisons)
                     .print_false_verdicts(false);
  RowModel model;
  model.run_spread = 0.02;
  const Table found = measure_rows("Rows with a difference; run effect 2 %", {{"", model}},
                                   {0.01, 0.02, 0.05, 0.1}, comparisons / 2);
  found.print_found();
  const Rates& of_five = found.at(" 5 %", 10);
  const bool is_found = of_five.comparisons < comparisons_for_bounds / 4 ||
                        10 * of_five.primary >= 8 * of_five.comparisons;
  return is_good && is_found;
}

int run(int count, char** arguments) {
  const std::size_t workloads = count > 1 ? std::strtoul(arguments[1], nullptr, 10) : 1'000;
  const std::size_t rows = count > 2 ? std::strtoul(arguments[2], nullptr, 10) : 1'000;
  bool is_good = workloads == 0 || measure_runs(workloads);
  if (rows > 0) is_good &= measure_rows(rows);
  return is_good ? 0 : 1;
}

}  // namespace
}  // namespace tracebed

int main(int count, char** arguments) {
  return tracebed::run(count, arguments);
}
