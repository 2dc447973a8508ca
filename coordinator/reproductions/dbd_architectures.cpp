#include "coordinator/reproductions/dbd_architectures.h"

#include <array>
#include <fmt/format.h>

#include "coordinator/reproductions/dbd_experiments.h"
#include "coordinator/reproductions/table_cells.h"

namespace tracebed::dbd {
namespace {

constexpr int jobs = 40;
constexpr std::string_view trace_file = "terasorts.csv";

// A machine holds sixteen executors, so half of what the jobs want at once.
constexpr Setup crowded_setup{.is_written_by_worker = true,
                              .racks = 2,
                              .capacity = 16,
                              .wait_ms = 0,
                              .cost = 1,
                              .is_cached = false};

std::string scheduler_text(const Architecture& architecture, int factor) {
  std::string text = fmt::format(
      "\n[[scheduler]]\nlabel = \"{}\"\nname = \"{}\"\npolicy = \"dbd\"\njob_ms = {}\n"
      "unit_ms = {}\n",
      architecture.label, architecture.scheduler, 100 * factor, 5 * factor);
  if (architecture.scheduler == "two_level") {
    text += fmt::format("frameworks = {}\n", architecture.schedulers);
  } else if (architecture.scheduler == "shared_state") {
    text += fmt::format("schedulers = {}\nrescheduling = \"{}\"\n", architecture.schedulers,
                        architecture.rescheduling);
  }
  return text;
}

double counter_of(const MeasuredRun& run, std::string_view name) {
  for (const auto& [counter, count] : run.counters) {
    if (counter == name) return static_cast<double>(count);
  }
  return 0;
}

double mean_wait_of(const MeasuredRun& run) {
  return run.metrics.wait.mean;
}

// Of the units that were proposed, in percent.
double part_of_proposed(const MeasuredRun& run, double units) {
  const double proposed = counter_of(run, "scheduler_units_in_conflict_no_room") +
                          counter_of(run, "scheduler_units_not_committed") +
                          counter_of(run, "scheduler_units_committed");
  return proposed > 0 ? 100 * units / proposed : 0;
}

double conflicts_of(const MeasuredRun& run) {
  return part_of_proposed(run, counter_of(run, "scheduler_units_in_conflict_no_room"));
}

double not_committed_of(const MeasuredRun& run) {
  return part_of_proposed(run, counter_of(run, "scheduler_units_in_conflict_no_room") +
                                   counter_of(run, "scheduler_units_not_committed"));
}

double transactions_of(const MeasuredRun& run) {
  return counter_of(run, "scheduler_transactions");
}

}  // namespace

std::span<const Architecture> architectures() {
  static constexpr std::array<Architecture, 10> all{
      {{"monolithic", "monolithic", "monolithic"},
       {"two-level-2", "two-level", "two_level", 2},
       {"two-level-4", "two-level", "two_level", 4},
       {"two-level-8", "two-level", "two_level", 8},
       {"shared-2-local", "shared state, local", "shared_state", 2, "local"},
       {"shared-4-local", "shared state, local", "shared_state", 4, "local"},
       {"shared-8-local", "shared state, local", "shared_state", 8, "local"},
       {"shared-2-full", "shared state, full", "shared_state", 2, "full"},
       {"shared-4-full", "shared state, full", "shared_state", 4, "full"},
       {"shared-8-full", "shared state, full", "shared_state", 8, "full"}}};
  return all;
}

std::string architecture_experiment(int factor) {
  return fmt::format("architectures-times{}", factor);
}

void add_architectures(const ReproductionRequest& request, ReproductionPlan& plan) {
  plan.files.push_back({std::string(trace_file), trace_text(terasort(), jobs, request.settings)});
  for (const int factor : decision_factors) {
    const std::string name = architecture_experiment(factor);
    std::string text = text_without_schedulers(terasort(), crowded_setup, request.settings,
                                               {name, std::string(trace_file)});
    text += fmt::format("baseline = \"{}\"\n", architectures().front().label);
    for (const Architecture& each : architectures()) text += scheduler_text(each, factor);
    plan.experiments.push_back({name, std::move(text)});
  }
}

ReproductionTable architecture_table(const ReproductionResults& results) {
  ReproductionTable table;
  table.title = fmt::format(
      "{} TeraSorts at once, placed by data block density under three architectures", jobs);
  table.columns = {"decision time (s)", "architecture",     "schedulers",   "mean JCT (s)",
                   "wait (s)",          "makespan (s)",     "locality (%)", "transactions",
                   "conflict (%)",      "not committed (%)"};
  for (const int factor : decision_factors) {
    for (const Architecture& each : architectures()) {
      const MeasuredRuns runs = results.find(architecture_experiment(factor), each.label);
      table.rows.push_back({number_cell(factor * 0.14, fmt::format("{:g}", factor * 0.14)),
                            text_cell(std::string(each.title)),
                            number_cell(each.schedulers, std::to_string(each.schedulers)),
                            figure_cell(runs, mean_completion_time_of),
                            figure_cell(runs, mean_wait_of), figure_cell(runs, makespan_of),
                            figure_cell(runs, locality_of), figure_cell(runs, transactions_of),
                            figure_cell(runs, conflicts_of), figure_cell(runs, not_committed_of)});
    }
  }
  table.notes = {
      "The paper describes the architectures (its section 3.1), and measures none of them. A "
      "decision about a job takes 100 ms and 5 ms for each of its executors, the defaults of "
      "Omega's simulator, and ten times as much.",
      "Wait: from a job's submission to its first executor. Conflict: of the executors that were "
      "proposed, those for which there was no room any more when they were committed. Not "
      "committed: with those in a transaction of which others were in conflict.",
      "Local: only executors in conflict are decided about again; full: all of a transaction with "
      "a "
      "conflict."};
  return table;
}

}  // namespace tracebed::dbd
