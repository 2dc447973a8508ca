#include "report/world_agreement.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>

#include "core/check.h"
#include "report/compared_side.h"

namespace tracebed {
namespace {

constexpr double chance_max = 0.05;

std::vector<ComparedFigure> figures_for(std::uint64_t jobs) {
  std::vector<ComparedFigure> figures = compared_figures({}, jobs);
  std::erase_if(figures, [](const ComparedFigure& figure) {
    return figure.key == "jct_p99" || (figure.key != "makespan" && !figure.key.starts_with("jct_"));
  });
  return figures;
}

SchedulerAgreement agreement_between(std::span<const RunFolder> runs, const RunGroup& model,
                                     const RunGroup& real, double matters_from) {
  SchedulerAgreement result;
  result.label = model.label;
  result.model_runs = model.runs.size();
  result.real_runs = real.runs.size();
  result.chance = chance_of_separation(result.model_runs, result.real_runs);
  std::vector<std::size_t> both = model.runs;
  both.insert(both.end(), real.runs.begin(), real.runs.end());
  const auto positions = common_jobs(runs, both);
  result.jobs = positions.front().size();
  const std::vector<ComparedFigure> figures = figures_for(result.jobs);
  const std::span all(positions);
  const ComparedSide of_model =
      measure_side(runs, model.runs, all.first(result.model_runs), figures);
  const ComparedSide of_real = measure_side(runs, real.runs, all.last(result.real_runs), figures);
  for (std::size_t f = 0; f < figures.size(); ++f) {
    FigureAgreement& figure = result.figures.emplace_back();
    figure.key = figures[f].key;
    figure.title = fmt::format("{} ({})", figures[f].title, figures[f].unit);
    figure.model = range_of(of_model.values(f));
    figure.real = range_of(of_real.values(f));
    figure.agreement = agreement_of(figure.model, figure.real, result.chance, matters_from);
  }
  return result;
}

// By the first figure.
std::vector<std::string> order_of(const WorldAgreement& worlds, RunRange FigureAgreement::*world) {
  if (worlds.schedulers.size() < 2) return {};
  std::vector<const SchedulerAgreement*> order;
  for (const SchedulerAgreement& scheduler : worlds.schedulers) order.push_back(&scheduler);
  std::stable_sort(order.begin(), order.end(), [&](const auto* a, const auto* b) {
    return (a->figures.front().*world).median < (b->figures.front().*world).median;
  });
  std::vector<std::string> labels;
  for (const SchedulerAgreement* scheduler : order) labels.push_back(scheduler->label);
  return labels;
}

WorldAgreement& entry_for(const std::string& model_world, const std::string& real_world,
                          std::vector<WorldAgreement>& worlds) {
  for (WorldAgreement& known : worlds) {
    if (known.real_world == real_world) return known;
  }
  WorldAgreement& added = worlds.emplace_back();
  added.model_world = model_world;
  added.real_world = real_world;
  return added;
}

}  // namespace

RunRange range_of(std::vector<double> values) {
  TRACEBED_CHECK(!values.empty(), "a range is that of runs");
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  RunRange range{*low, 0, *high};
  range.median = percentile_by_selection(std::span(values), 50);
  return range;
}

const char* name(Agreement agreement) {
  switch (agreement) {
    case Agreement::within_repetitions:
      return "within_repetitions";
    case Agreement::does_not_matter:
      return "does_not_matter";
    case Agreement::beyond_repetitions:
      return "beyond_repetitions";
    case Agreement::too_few_runs:
      return "too_few_runs";
  }
  return "";
}

double chance_of_separation(std::size_t model_runs, std::size_t real_runs) {
  double orders = 1;  // C(n + m, n)
  for (std::size_t i = 1; i <= model_runs; ++i) {
    orders *= static_cast<double>(real_runs + i) / static_cast<double>(i);
  }
  return std::min(1.0, 2 / orders);
}

Agreement agreement_of(const RunRange& model, const RunRange& real, double chance,
                       double matters_from) {
  const bool overlap = model.low <= real.high && real.low <= model.high;
  if (overlap) return Agreement::within_repetitions;
  const double difference = std::abs(real.median - model.median);
  if (difference < matters_from * model.median) return Agreement::does_not_matter;
  return chance <= chance_max ? Agreement::beyond_repetitions : Agreement::too_few_runs;
}

std::vector<WorldAgreement> world_agreements(std::span<const RunFolder> runs,
                                             std::span<const RunGroup> groups,
                                             double matters_from) {
  std::vector<WorldAgreement> worlds;
  for (const auto& [model, real] : world_pairs(groups)) {
    SchedulerAgreement agreement = agreement_between(runs, *model, *real, matters_from);
    if (agreement.jobs == 0) continue;
    entry_for(model->world, real->world, worlds).schedulers.push_back(std::move(agreement));
  }
  for (WorldAgreement& world : worlds) {
    world.model_order = order_of(world, &FigureAgreement::model);
    world.real_order = order_of(world, &FigureAgreement::real);
  }
  return worlds;
}

}  // namespace tracebed
