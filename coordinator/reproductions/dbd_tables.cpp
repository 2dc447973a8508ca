// The tables of the reproduction of Du, Lei and Chen.
#include <fmt/format.h>

#include "coordinator/reproductions/dbd_architectures.h"
#include "coordinator/reproductions/dbd_experiments.h"
#include "coordinator/reproductions/table_cells.h"

namespace tracebed::dbd {
namespace {

// As a factor.
TableCell cost_cell(const Setup& setup) {
  return number_cell(setup.cost / 100.0, fmt::format("{:g}", setup.cost / 100.0));
}

constexpr const char* dynamic_title = "Dynamic allocation on YARN";

MeasuredRuns dynamic_runs(const ReproductionResults& results, const SparkJob& job,
                          const Setup& setup) {
  return results.find(experiment_name(job, dynamic(setup)), dynamic_label);
}

ReproductionTable locality_table(const ReproductionResults& results) {
  ReproductionTable table;
  table.title = "TeraSort: tasks that read their block on its node (%)";
  table.columns = {"file written", "racks", "executors a machine holds", "wait (s)", "costs"};
  for (const PlacedStrategy& strategy : strategies()) table.columns.emplace_back(strategy.title);
  table.columns.emplace_back(dynamic_title);
  for (const Setup& setup : grid()) {
    std::vector<TableCell>& row = table.rows.emplace_back();
    row = {text_cell(setup.is_written_by_worker ? "from a machine" : "from elsewhere"),
           number_cell(setup.racks, fmt::format("{}", setup.racks)),
           number_cell(setup.capacity, fmt::format("{}", setup.capacity)),
           number_cell(setup.wait_ms / 1000.0, fmt::format("{}", setup.wait_ms / 1000)),
           cost_cell(setup)};
    for (const PlacedStrategy& strategy : strategies()) {
      row.push_back(figure_cell(results.find(experiment_name(terasort(), setup), strategy.label),
                                locality_of));
    }
    row.push_back(figure_cell(dynamic_runs(results, terasort(), setup), locality_of));
  }
  std::vector<TableCell>& papers = table.rows.emplace_back();
  papers = {text_cell("the paper"), text_cell("?"), text_cell("?"), text_cell("?"), text_cell("?")};
  for (const PlacedStrategy& strategy : strategies()) {
    papers.push_back(text_cell(strategy.of_paper.empty() ? "-" : std::string(strategy.of_paper)));
  }
  papers.push_back(text_cell("-"));
  table.notes = {
      "The paper's figures are those of one TeraSort (its figure 5).",
      "Costs: of the cost table's, by which a task takes 134 s for its block; at 0.01, 1.3 s.",
      "Eight executors on eight of ten machines leave out two, and a block has three replicas: "
      "Spread has an executor beside every block. Its locality is below 100 % only because tasks "
      "do not wait for that, or not for as long as the tasks before them take.",
      "Spark's standalone master places an only job as Spread with spreadOut, as Binpack without; "
      "the paper counts Mesos' offers as Binpack. With dynamic allocation executors are asked for "
      "one, two and more at a time near the tasks' blocks, and are placed by YARN's Capacity."};
  return table;
}

ReproductionTable time_table(const ReproductionResults& results) {
  ReproductionTable table;
  table.title = fmt::format(
      "Run time against Spread: file written from a machine, {} racks, {} executors a machine, no "
      "wait",
      compared_setup.racks, compared_setup.capacity);
  table.columns = {"job", "costs", "files in", "Spread (s)"};
  for (const PlacedStrategy& strategy : strategies().subspan(1)) {
    table.columns.emplace_back(strategy.title);
  }
  table.columns.emplace_back(dynamic_title);
  table.columns.emplace_back("DBD of the paper");
  for (const SparkJob& job : spark_jobs()) {
    for (const Setup& setup : compared_setups()) {
      const std::string experiment = experiment_name(job, setup);
      const MeasuredRuns spread = results.find(experiment, strategies().front().label);
      std::vector<TableCell>& row = table.rows.emplace_back();
      row = {text_cell(std::string(job.title)), cost_cell(setup),
             text_cell(setup.is_cached ? "memory" : "disk"), figure_cell(spread, makespan_of)};
      for (const PlacedStrategy& strategy : strategies().subspan(1)) {
        row.push_back(change_cell(spread, results.find(experiment, strategy.label), makespan_of));
      }
      row.push_back(change_cell(spread, dynamic_runs(results, job, setup), makespan_of));
      row.push_back(text_cell(std::string(job.of_paper)));
    }
  }
  table.notes = {
      "The paper's run times follow from what its jobs compute, from the rates of its disks, from "
      "what of its files was in memory, and from how its links were used, none of which it states.",
      "Costs: of the cost table's, by which a task takes 134 s for its block (WordCount: 194 s); "
      "at 0 tasks only read, fetch and write. Sort and TeraSort have the same. In memory: reads "
      "and writes take no time but that of links.",
      "Executors on one machine share its disk and link: what density saves in reading, tasks may "
      "lose in writing what they made.",
      "KMeans and PageRank read their file once, and iterate 5 and 3 times, as often as in "
      "HiBench, "
      "on the blocks that executors keep in memory; the paper states neither how often nor on how "
      "much data."};
  return table;
}

ReproductionTable real_table(const ReproductionResults& results) {
  ReproductionTable table;
  table.title = "Real processes beside the model, at a tenth of the costs";
  table.columns = {"job", "executors placed by"};
  for (const WorldOfPart& world : worlds_of_real_part) {
    table.columns.push_back(fmt::format("locality (%), {}", world.title));
  }
  table.columns.emplace_back("paper");
  for (const WorldOfPart& world : worlds_of_real_part) {
    table.columns.push_back(fmt::format("run time, {}", world.title));
  }
  table.columns.emplace_back("paper");
  for (const SparkJob& job : real_jobs()) {
    for (const PlacedStrategy& strategy : strategies()) {
      if (!strategy.is_in_real_part) continue;
      const auto runs = [&](const WorldOfPart& world, std::string_view label) {
        return results.find(experiment_name(job, real_setup(world)), label);
      };
      const std::string_view baseline = strategies().front().label;
      std::vector<TableCell>& row = table.rows.emplace_back();
      row = {text_cell(std::string(job.title)), text_cell(std::string(strategy.title))};
      for (const WorldOfPart& world : worlds_of_real_part) {
        row.push_back(figure_cell(runs(world, strategy.label), locality_of));
      }
      const bool has_locality = job.kind == terasort().kind && !strategy.of_paper.empty();
      row.push_back(text_cell(has_locality ? std::string(strategy.of_paper) : "-"));
      for (const WorldOfPart& world : worlds_of_real_part) {
        row.push_back(
            strategy.label == baseline
                ? figure_cell(runs(world, baseline), makespan_of)
                : change_cell(runs(world, baseline), runs(world, strategy.label), makespan_of));
      }
      row.push_back(text_cell(strategy.label == "dbd" ? std::string(job.of_paper) : "-"));
    }
  }
  table.notes = {
      "Run time: seconds of the trace under Spread, and changes against it.",
      "Blocks are served by datanodes over the native protocol, and reduces fetch over the "
      "network; disks and links have the rates of the model, divided as [scale] says. Four times "
      "as fast as "
      "the trace: what a launch or a connection takes counts four times."};
  return table;
}

}  // namespace

double locality_of(const MeasuredRun& run) {
  const auto count = [&](Locality locality) {
    return static_cast<double>(run.metrics.attempts.localities[static_cast<std::size_t>(locality)]);
  };
  const double all = count(Locality::node) + count(Locality::rack) + count(Locality::off_switch);
  return all > 0 ? 100 * count(Locality::node) / all : 0;
}

std::vector<ReproductionTable> real_tables(const ReproductionRequest&,
                                           const ReproductionResults& results) {
  return {real_table(results)};
}

std::vector<ReproductionTable> tables(const ReproductionRequest&,
                                      const ReproductionResults& results) {
  return {locality_table(results), time_table(results), architecture_table(results)};
}

}  // namespace tracebed::dbd
