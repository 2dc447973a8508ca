#include "coordinator/workload/trace_workload.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <optional>

#include "coordinator/workload/input_files.h"
#include "coordinator/workload/kept_jobs.h"
#include "coordinator/workload/machine_racks.h"
#include "coordinator/workload/named_jobs.h"
#include "coordinator/workload/shaken_workload.h"
#include "coordinator/workload/window.h"
#include "core/input_error.h"
#include "system/input_witness.h"
#include "system/quantities.h"
#include "traces/machines/machine_changes.h"
#include "traces/machines/machine_trace.h"
#include "traces/open_trace.h"
#include "traces/parts/streams.h"
#include "traces/scale_model.h"
#include "traces/trace_formats.h"

namespace tracebed {
namespace {

// What an agent has that is in no device.
std::string lost_of_devices(const DeviceSizes& sizes, const Machine& agent,
                            const ResourceDimensions& dimensions) {
  Resources rest = agent.capacity;
  const FreeDevices whole(sizes, rest);
  whole.visit([&](std::size_t d, std::uint16_t, std::int64_t, auto size) { rest[d] -= size; });
  std::string lost = fmt::format("agent {}: ", agent.name);
  for (std::size_t d = 0; d < dimensions.size(); ++d) {
    if (sizes[d] == 0 || rest[d] == 0) continue;
    lost += fmt::format("{} of its {} of {} is lost, in no device of {} (cluster.devices); ",
                        rest[d], agent.capacity[d], dimensions.name(d), sizes[d]);
  }
  return lost.substr(0, lost.size() - 2);
}

}  // namespace

struct TraceWorkload::Reading {
  Reading(const ResolvedExperiment& experiment)
      : path(experiment.trace.file.string()),
        options(experiment.trace_options),
        factors(experiment.scale_factors) {
    options.witness = &witness;
  }

  std::string path;
  TraceOptions options;
  ScaleFactors factors;
  InputWitness witness;  // of all readings, in all threads
};

// One pass over the trace: reader, then window, then scale, then when to submit.
class TraceWorkload::Pass final : public WorkloadSource {
 public:
  Pass(const Reading& reading, const ExperimentTables& experiment, Names& names)
      : reader_(open_trace(reading.path, reading.options, names)),
        windowed_(*reader_, experiment.trace),
        scaled_(windowed_, reading.factors),
        replay_(experiment.replay) {}

  bool next(Job& job) override {
    if (!scaled_.next(job)) return false;
    if (replay_.mode == ReplayChoice::Mode::at_once) {
      job.submit = TraceTime();
    } else if (replay_.speed != 1) {
      job.submit = trace_time(scale_down(to_microseconds(job.submit), replay_.speed));
    }
    return true;
  }

  const TraceReader& reader() const { return *reader_; }
  const ScaledWorkload& scaled() const { return scaled_; }
  void measure_into(JobShapes& before, JobShapes& after, ScaleRounding& rounding) {
    scaled_.measure_into(before, after, rounding);
  }

 private:
  std::unique_ptr<TraceReader> reader_;
  WindowedWorkload windowed_;
  ScaledWorkload scaled_;
  const ReplayChoice& replay_;
};

namespace {

class NoJobs final : public WorkloadSource {
 public:
  bool next(Job& /*job*/) override { return false; }
};

std::vector<std::pair<std::string, std::string>> selection_of(const TraceChoice& choice) {
  std::vector<std::pair<std::string, std::string>> selection;
  const auto add_time = [&](const char* name, TraceTime time) {
    selection.emplace_back(name, duration_text(time.time_since_epoch()));
  };
  if (choice.from != TraceTime()) add_time("from", choice.from);
  if (choice.until != never) add_time("until", choice.until);
  if (choice.jobs_max != 0) selection.emplace_back("jobs", fmt::format("{}", choice.jobs_max));
  return selection;
}

// To tenths, without the sign of a zero.
double per_cent(double deviation) {
  return std::round(1000 * deviation) / 10 + 0.0;
}

// Runs of a trace that is varied are compared only with such.
void add_variation(const VariationChoice& vary,
                   std::vector<std::pair<std::string, std::string>>& selection) {
  const auto add = [&](const char* name, double part) {
    if (part > 0) selection.emplace_back(name, fmt::format("shaken by up to {} %", 100 * part));
  };
  add("submit times", vary.submit_times);
  add("run times", vary.run_times);
}

bool has_unplaced_input(const Job& job) {
  return job.kind == JobKind::map_reduce &&
         std::any_of(job.stages.begin(), job.stages.end(), [](const Stage& stage) {
           return stage.kind == StageKind::map && stage.places.is_empty();
         });
}

bool has_gang(const Job& job) {
  return std::any_of(job.stages.begin(), job.stages.end(),
                     [](const Stage& stage) { return stage.kind == StageKind::gang; });
}

std::string replay_of(const ReplayChoice& choice) {
  switch (choice.mode) {
    case ReplayChoice::Mode::trace:
      break;
    case ReplayChoice::Mode::at_once:
      return "all jobs at once";
    case ReplayChoice::Mode::think_time:
      return fmt::format("think time {}",
                         choice.think_time ? duration_text(*choice.think_time) : "of the trace");
  }
  return choice.speed == 1 ? "" : fmt::format("submit times ÷ {}", choice.speed);
}

// What was read otherwise than it stands; what was merely tolerated is listed by `trace info`.
std::vector<std::string> reader_warnings(const TraceReader& reader) {
  std::vector<std::string> warnings;
  if (const std::uint64_t bad = reader.bad_rows().total(); bad > 0) {
    warnings.push_back(fmt::format("{} bad rows of the trace were skipped", bad));
  }
  for (const auto& [rule, count] : reader.report().left_out) {
    warnings.push_back(
        fmt::format("{} rows of the trace were left out by a rule: {}", count, rule));
  }
  return warnings;
}

}  // namespace

TraceWorkload::TraceWorkload(const ResolvedExperiment& experiment, std::int64_t memory_bytes)
    : experiment_(experiment), reading_(std::make_unique<Reading>(experiment)) {
  if (experiment.trace.file.empty()) {
    load_machines();
    changes_ = scale_changes(recorded_changes_, recorded_machines_.size(), reading_->factors);
    return;
  }
  expect_no_stream(reading_->path);
  if (memory_bytes > 0) kept_ = std::make_unique<KeptJobs>(memory_bytes);
  load_machines();
  measure();
}

TraceWorkload::~TraceWorkload() = default;

InputWitness& TraceWorkload::witness() const {
  return reading_->witness;
}

void TraceWorkload::check_listing() const {
  if (!is_folder(reading_->path)) return;
  reading_->witness.check_listing(reading_->path, files_of_trace(reading_->path));
}

void TraceWorkload::keep_load() {
  using KeepLoad = ScaleChoice::KeepLoad;
  const ScaleChoice& scale = experiment_.scale;
  if (scale.keep_load == KeepLoad::none) return;
  Names names;
  Pass pass(*reading_, experiment_, names);
  for (Job job; pass.next(job);) {
  }
  const double before = load_of_vcores(pass.scaled().before(), recorded_machines_);
  const double after = load_of_vcores(pass.scaled().after(), machines_);
  if (before <= 0 || after <= 0) {
    throw InputError(fmt::format("{}: expected a trace with load, got one without", scale.where));
  }
  const double growth = after / before;
  if (scale.keep_load == KeepLoad::stretch) {
    reading_->factors.stretch = growth;
  } else if (growth >= 1) {
    reading_->factors.thin = growth;
  } else {
    throw InputError(
        fmt::format("{}: expected factors that increase the load, so that keep_load = \"thin\" can "
                    "drop jobs, got factors that leave {:.3g} of it",
                    scale.where, growth));
  }
}

void TraceWorkload::measure() {
  keep_load();
  Names names;
  Pass pass(*reading_, experiment_, names);
  const bool is_scaled = !scale_statements(reading_->factors).empty();
  JobShapes before;
  JobShapes shapes_after;
  ScaleRounding rounding;
  if (is_scaled) pass.measure_into(before, shapes_after, rounding);
  const bool is_closed = experiment_.replay.mode == ReplayChoice::Mode::think_time;
  std::vector<std::uint64_t> jobs_of_users;
  const std::unique_ptr<InputFiles> input_files = collector();
  NamedJobs named_jobs(reading_->factors.stretch / experiment_.replay.speed);
  for (Job job; pass.next(job);) {
    named_jobs.add(job, pass.reader(), facts_.preceding);
    facts_.last_submit = job.submit;
    facts_.has_unplaced_input = facts_.has_unplaced_input || has_unplaced_input(job);
    facts_.has_gangs = facts_.has_gangs || has_gang(job);
    take_input(job, input_files.get());
    if (kept_ && !kept_->add(job, names)) kept_.reset();
    if (!is_closed) continue;
    if (job.user.index() >= jobs_of_users.size()) jobs_of_users.resize(job.user.index() + 1);
    ++jobs_of_users[job.user.index()];
  }
  for (std::size_t i = 0; i < jobs_of_users.size(); ++i) {
    if (jobs_of_users[i] > 0) facts_.jobs_of_users[names.users.name(UserId(i))] = jobs_of_users[i];
  }
  const WorkloadTotals& after = pass.scaled().after();
  facts_.format = pass.reader().format();
  facts_.jobs = after.jobs();
  facts_.tasks = after.tasks();
  facts_.largest_task = after.largest_task();
  facts_.selection = selection_of(experiment_.trace);
  const std::string replay = replay_of(experiment_.replay);
  if (!replay.empty()) facts_.selection.emplace_back("replay", replay);
  add_variation(experiment_.vary, facts_.selection);
  facts_.rules = rules_of(pass.reader(), reading_->options.rules);
  for (std::string& warning : reader_warnings(pass.reader())) {
    facts_.warnings.push_back(std::move(warning));
  }
  named_jobs.warn(facts_.preceding, experiment_.replay.mode, facts_.warnings);
  for (std::string& sentence : rounding.sentences()) {
    facts_.warnings.push_back(std::move(sentence));
  }
  if (facts_.jobs == 0) {
    throw InputError(fmt::format("{}: the selection contains no job of {}", experiment_.trace.where,
                                 reading_->path));
  }
  place_changes();
  if (input_files) {
    input_files_ = input_files->take();
    leave_absent_machines_out();
    check_room();
  }
  measure_scale(pass, before, shapes_after);
  if (kept_) kept_->finish(std::move(names));
}

void TraceWorkload::load_machines() {
  const MachineFileChoice& choice = experiment_.cluster.machine_file;
  recorded_machines_ = experiment_.cluster.machines;
  recorded_changes_ = experiment_.cluster.changes;
  if (!choice.file.empty()) {
    MachineOptions options{reading_->options, {}, {}};
    options.trace.format = choice.format.empty() ? "auto" : choice.format;
    if (choice.milli_vcores > 0) options.milli_vcores = choice.milli_vcores;
    if (choice.memory_mib > 0) options.memory_mib = choice.memory_mib;
    MachineTrace trace = read_machines(choice.file.string(), options);
    constexpr std::size_t machines_max = 100'000;
    if (trace.machines.size() > machines_max) {
      throw InputError(fmt::format("{}: expected at most {} machines, got {}", choice.where,
                                   machines_max, trace.machines.size()));
    }
    // A binary trace's machines have the clock of jobs.
    has_job_clock_ = trace.format == "binary";
    recorded_machines_ = std::move(trace.machines);
    recorded_changes_ = std::move(trace.changes);
    for (const auto& [what, count] : trace.notes) {
      facts_.warnings.push_back(fmt::format("machines: {}: {}", what, count));
    }
  }
  // Agents on other machines state what they have; nobody divided it.
  const bool is_of_agents = experiment_.world == World::cluster;
  const ResourceDimensions dimensions(experiment_.cluster.extra_dimensions);
  for (const Machine& machine : recorded_machines_) {
    const DeviceSizes& devices = experiment_.cluster.devices;
    const Status status = check_devices(devices, machine, dimensions);
    if (status) continue;
    if (!is_of_agents) throw InputError(choice.where + ": " + status.error().message);
    facts_.warnings.push_back(lost_of_devices(devices, machine, dimensions));
  }
  set_racks(experiment_.storage.topology, recorded_machines_);
  machines_ = recorded_machines_;
  if (is_of_agents) return;
  machines_ = scale_machines(recorded_machines_, reading_->factors);
  ScaleRounding rounding;
  add_machines(recorded_machines_, machines_, reading_->factors, rounding);
  for (std::string& sentence : rounding.sentences()) {
    facts_.warnings.push_back(std::move(sentence));
  }
}

void TraceWorkload::place_changes() {
  std::vector<MachineChange> changes = recorded_changes_;
  if (!experiment_.cluster.machine_file.file.empty()) {
    TraceTime start =
        has_job_clock_ ? TraceTime() : origin_of_jobs(reading_->path, reading_->options);
    start += experiment_.trace.from.time_since_epoch();
    changes = changes_from(changes, recorded_machines_.size(), start);
    const bool is_open = experiment_.replay.mode == ReplayChoice::Mode::trace;
    for (MachineChange& change : changes) {
      if (!is_open) break;  // submit times are not the trace's, so there is nothing to follow
      change.at = trace_time(scale_down(to_microseconds(change.at), experiment_.replay.speed));
    }
  }
  changes_ = scale_changes(changes, recorded_machines_.size(), reading_->factors);
}

void TraceWorkload::measure_scale(const Pass& pass, JobShapes& before, JobShapes& after) {
  ScaleFactors factors = reading_->factors;
  // Time is not in the list: it is the clock's, and the same workload has it in both worlds.
  using NamedFactor = std::pair<const char*, double>;
  for (const auto& [name, factor] :
       {NamedFactor("cpu", factors.cpu), NamedFactor("memory", factors.memory),
        NamedFactor("data", factors.data), NamedFactor("machines", factors.machines),
        NamedFactor("thin", factors.thin), NamedFactor("stretch", factors.stretch),
        NamedFactor("tasks", factors.tasks)}) {
    facts_.scale.emplace_back(name, fmt::format("{}", factor));
  }
  if (experiment_.world == World::simulated) factors.time = 1;
  for (const ScaleStatement& statement : scale_statements(factors)) {
    facts_.scale_effects.emplace_back(statement.factor + ", stays", statement.stays);
    facts_.scale_effects.emplace_back(statement.factor + ", changes", statement.changes);
    facts_.scaled.factors.push_back({statement.factor, statement.changes});
  }
  if (facts_.scale_effects.empty()) return;
  for (const ScaleComparison& row :
       compare_scaled(pass.scaled().before(), pass.scaled().after(), recorded_machines_, machines_,
                      factors, &before, &after)) {
    facts_.scale_effects.emplace_back(
        row.statistic,
        fmt::format("{:.6g} before, {:.6g} after, {:.6g} by the factors alone ({:+.1f} %)",
                    row.before, row.after, row.expected, per_cent(row.deviation)));
    facts_.scaled.statistics.push_back({row.statistic, row.before, row.after, row.deviation});
  }
}

// A pass that begins when it is needed, so that a trace that can no longer be read, or is another
// one, ends its replay and not what prepares it.
class TraceWorkload::LaterPass final : public WorkloadSource {
 public:
  LaterPass(const Reading& reading, const ExperimentTables& experiment, Names& names)
      : reading_(reading), experiment_(experiment), names_(names) {}
  bool next(Job& job) override {
    if (!pass_) pass_.emplace(reading_, experiment_, names_);
    return pass_->next(job);
  }

 private:
  const Reading& reading_;
  const ExperimentTables& experiment_;
  Names& names_;
  std::optional<Pass> pass_;
};

// A source that owns the one it varies.
class TraceWorkload::Varied final : public WorkloadSource {
 public:
  Varied(std::unique_ptr<WorkloadSource> source, const VariationChoice& vary, std::uint64_t seed)
      : source_(std::move(source)), shaken_(*source_, vary, seed) {}
  bool next(Job& job) override { return shaken_.next(job); }

 private:
  std::unique_ptr<WorkloadSource> source_;
  ShakenWorkload shaken_;
};

std::unique_ptr<WorkloadSource> TraceWorkload::open(Names& names, std::uint64_t seed) const {
  if (reading_->path.empty()) return std::make_unique<NoJobs>();
  std::unique_ptr<WorkloadSource> jobs =
      kept_ ? kept_->open(names) : std::make_unique<LaterPass>(*reading_, experiment_, names);
  if (experiment_.storage_options) jobs = std::make_unique<InputPaths>(std::move(jobs));
  if (!experiment_.vary.is_any()) return jobs;
  return std::make_unique<Varied>(std::move(jobs), experiment_.vary, seed);
}

}  // namespace tracebed
