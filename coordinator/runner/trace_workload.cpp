#include "coordinator/runner/trace_workload.h"

#include <fmt/format.h>

#include "coordinator/config/quantities.h"
#include "coordinator/runner/window.h"
#include "core/input_error.h"
#include "traces/format.h"
#include "traces/open_trace.h"
#include "traces/scale_model.h"

namespace tracebed {

struct TraceWorkload::Reading {
  std::string path;
  TraceOptions options;
  ScaleFactors factors;
};

// One pass over the trace: reader, then window, then scale.
class TraceWorkload::Pass final : public WorkloadSource {
 public:
  Pass(const Reading& reading, const TraceChoice& window, Names& names)
      : reader_(open_trace(reading.path, reading.options, names)),
        windowed_(*reader_, window),
        scaled_(windowed_, reading.factors) {}

  bool next(Job& job) override { return scaled_.next(job); }

  const TraceReader& reader() const { return *reader_; }
  const ScaledWorkload& scaled() const { return scaled_; }

 private:
  std::unique_ptr<TraceReader> reader_;
  WindowedWorkload windowed_;
  ScaledWorkload scaled_;
};

namespace {

ScaleFactors scale_factors(const ScaleChoice& choice, std::uint64_t seed) {
  ScaleFactors factors;
  factors.time = choice.time;
  factors.cpu = choice.cpu;
  factors.memory = choice.memory;
  factors.data = choice.data;
  factors.machines = choice.machines;
  factors.thin = choice.thin;
  factors.stretch = choice.stretch;
  factors.seed = seed;
  if (const Status status = check_scale(factors); !status) {
    throw InputError(fmt::format("{}: {}", choice.where, status.error().message));
  }
  return factors;
}

TraceOptions trace_options(const Experiment& experiment) {
  const TraceChoice& choice = experiment.trace;
  TraceOptions options;
  options.dimensions = ResourceDimensions(experiment.cluster.extra_dimensions);
  if (!choice.format.empty()) options.format = choice.format;
  if (const Status status = check_format(options.format); !status) {
    throw InputError(fmt::format("{}: {}", choice.format_where, status.error().message));
  }
  options.skip_bad = choice.skip_bad_lines;
  for (const Setting& setting : choice.rules) {
    const Status status = set_rule(options.rules, setting.key, setting.value);
    if (!status) throw InputError(fmt::format("{}: {}", setting.where, status.error().message));
  }
  return options;
}

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

// What was read otherwise than it stands; what was merely tolerated is told by `trace info`.
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

void check_workload_choices(const Experiment& experiment) {
  trace_options(experiment);
  scale_factors(experiment.scale, experiment.seed);
}

TraceWorkload::TraceWorkload(const Experiment& experiment)
    : experiment_(experiment),
      reading_(std::make_unique<Reading>(
          Reading{experiment.trace.file.string(), trace_options(experiment),
                  scale_factors(experiment.scale, experiment.seed)})),
      machines_(scale_machines(experiment.cluster.machines, reading_->factors)),
      changes_(scale_changes(experiment.cluster.changes, experiment.cluster.machines.size(),
                             reading_->factors)) {
  measure();
}

TraceWorkload::~TraceWorkload() = default;

void TraceWorkload::measure() {
  Names names;
  Pass pass(*reading_, experiment_.trace, names);
  Job job;
  while (pass.next(job)) facts_.last_submit = job.submit;
  const WorkloadTotals& after = pass.scaled().after();
  facts_.format = pass.reader().format();
  facts_.jobs = after.jobs();
  facts_.tasks = after.tasks();
  facts_.largest_task = after.largest_task();
  facts_.selection = selection_of(experiment_.trace);
  facts_.rules = rule_values(reading_->options.rules, pass.reader().rule_prefixes());
  facts_.warnings = reader_warnings(pass.reader());
  if (facts_.jobs == 0) {
    throw InputError(fmt::format("{}: no job of {} is in the selection", experiment_.trace.where,
                                 reading_->path));
  }
  measure_scale(pass);
}

void TraceWorkload::measure_scale(const Pass& pass) {
  ScaleFactors factors = reading_->factors;
  // Time is not in the list: it is the clock's, and the same workload has it in both worlds.
  using NamedFactor = std::pair<const char*, double>;
  for (const auto& [name, factor] :
       {NamedFactor("cpu", factors.cpu), NamedFactor("memory", factors.memory),
        NamedFactor("data", factors.data), NamedFactor("machines", factors.machines),
        NamedFactor("thin", factors.thin), NamedFactor("stretch", factors.stretch)}) {
    facts_.scale.emplace_back(name, fmt::format("{}", factor));
  }
  if (experiment_.world == World::simulated) factors.time = 1;
  for (const ScaleStatement& statement : scale_statements(factors)) {
    facts_.scale_effects.emplace_back(statement.factor + ", stays", statement.stays);
    facts_.scale_effects.emplace_back(statement.factor + ", changes", statement.changes);
  }
  if (facts_.scale_effects.empty()) return;
  for (const ScaleComparison& row :
       compare_scaled(pass.scaled().before(), pass.scaled().after(), experiment_.cluster.machines,
                      machines_, factors)) {
    facts_.scale_effects.emplace_back(
        row.statistic, fmt::format("{:.6g} before, {:.6g} after, {:.6g} by the factors alone",
                                   row.before, row.after, row.expected));
  }
}

std::unique_ptr<WorkloadSource> TraceWorkload::open(Names& names) const {
  return std::make_unique<Pass>(*reading_, experiment_.trace, names);
}

}  // namespace tracebed
