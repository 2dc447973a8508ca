// The tables of the reproduction of Ma and Hong (2012): what each scheduler reached in each group,
// and in how many of the draws what the paper's text states holds.
#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <numeric>
#include <optional>

#include "coordinator/reproductions/mfs_experiments.h"
#include "coordinator/reproductions/table_cells.h"

namespace tracebed::ma2012 {
namespace {

struct Figure {
  std::string_view title;
  bool is_less_better = false;
  double (*of)(const MeasuredRun& run) = nullptr;
};
constexpr std::array<Figure, 2> figures{
    {{"mean JCT (s)", true, [](const MeasuredRun& run) { return mean_completion_time_of(run); }},
     {"jobs per 10 min", false,
      [](const MeasuredRun& run) { return run.metrics.throughput_per_ten_minutes; }}}};

struct SlotScheduler {
  std::string_view name;
  std::string_view title;
};
constexpr std::array<SlotScheduler, 2> slot_schedulers{
    {{"fair", "Fair"}, {"capacity", "Capacity"}}};

// What was measured in a variant, or for MFS in the one that it shares.
class Measured {
 public:
  Measured(const ReproductionResults& results, std::uint32_t repetitions, const Variant& variant)
      : results_(results), repetitions_(repetitions), variant_(variant) {}

  // By repetition.
  MeasuredRuns runs(const JobGroup& group, Arms arms, std::string_view label) const {
    const Variant& variant = is_run(arms, variant_) ? variant_ : variants().front();
    MeasuredRuns all;
    for (std::uint32_t repetition = 1; repetition <= repetitions_; ++repetition) {
      const MeasuredRuns one =
          results_.find(experiment_name(group, arms, variant, repetition), label);
      all.insert(all.end(), one.begin(), one.end());
    }
    return all;
  }
  MeasuredRuns mfs_runs(const JobGroup& group) const { return runs(group, Arms::mfs, mfs_label); }
  MeasuredRuns slot_runs(const JobGroup& group, std::string_view scheduler, int slots) const {
    return runs(group, Arms::slots, slot_label(scheduler, slots));
  }
  // With the number of slots that is best on average, of those with which all repetitions
  // completed.
  MeasuredRuns best_runs(const JobGroup& group, std::string_view scheduler,
                         const Figure& figure) const {
    MeasuredRuns best;
    double best_mean = 0;
    for (const int slots : slot_counts) {
      MeasuredRuns runs = slot_runs(group, scheduler, slots);
      std::vector<double> values;
      for (const MeasuredRun* run : runs) {
        if (run->outcome == RunOutcome::complete) values.push_back(figure.of(*run));
      }
      const std::optional<MeanOfRuns> mean = mean_of(values);
      if (!mean || values.size() < runs.size()) continue;
      const bool is_better =
          figure.is_less_better ? mean->mean < best_mean : mean->mean > best_mean;
      if (!best.empty() && !is_better) continue;
      best = std::move(runs);
      best_mean = mean->mean;
    }
    return best;
  }
  std::uint32_t repetitions() const { return repetitions_; }
  const Variant& variant() const { return variant_; }

 private:
  const ReproductionResults& results_;
  std::uint32_t repetitions_;
  const Variant& variant_;
};

// ---- figures ----

std::vector<std::string> figure_columns(std::string first) {
  std::vector<std::string> columns{std::move(first)};
  for (const JobGroup& group : job_groups()) {
    for (const Figure& figure : figures) {
      columns.push_back(fmt::format("{}: {}", group.name, figure.title));
    }
  }
  return columns;
}

// A cell for each group and figure.
template <class Cell>
std::vector<TableCell> figure_row(std::string title, Cell&& cell) {
  std::vector<TableCell> row{text_cell(std::move(title))};
  for (const JobGroup& group : job_groups()) {
    for (const Figure& figure : figures) row.push_back(cell(group, figure));
  }
  return row;
}

ReproductionTable figure_table(const Measured& measured) {
  ReproductionTable table;
  table.title = fmt::format("What each scheduler reached; {}", measured.variant().title);
  table.columns = figure_columns("");
  table.rows.push_back(figure_row("MFS", [&](const JobGroup& group, const Figure& figure) {
    return figure_cell(measured.mfs_runs(group), figure.of);
  }));
  for (const SlotScheduler& scheduler : slot_schedulers) {
    for (const int slots : slot_counts) {
      table.rows.push_back(figure_row(
          fmt::format("{}, {} slots", scheduler.title, slots),
          [&](const JobGroup& group, const Figure& figure) {
            return figure_cell(measured.slot_runs(group, scheduler.name, slots), figure.of);
          }));
    }
  }
  return table;
}

// The worlds of the real part beside each other: for each figure what MFS reached, and of the slot
// schedulers the change against it.
ReproductionTable real_table(const std::vector<Measured>& worlds) {
  ReproductionTable table;
  table.title = "80 small jobs on four machines, on real processes and in the model";
  table.columns.emplace_back("");
  for (const Figure& figure : figures) {
    for (const Measured& measured : worlds) {
      table.columns.push_back(fmt::format("{}, {}", figure.title, measured.variant().title));
    }
  }
  const auto add_row = [&](std::string title, auto&& cell) {
    std::vector<TableCell>& row = table.rows.emplace_back();
    row.push_back(text_cell(std::move(title)));
    for (const Figure& figure : figures) {
      for (const Measured& measured : worlds) row.push_back(cell(measured, figure));
    }
  };
  add_row("MFS", [](const Measured& measured, const Figure& figure) {
    return figure_cell(measured.mfs_runs(real_group()), figure.of);
  });
  for (const SlotScheduler& scheduler : slot_schedulers) {
    for (const int slots : slot_counts) {
      add_row(fmt::format("{}, {} slots", scheduler.title, slots), [&](const Measured& measured,
                                                                       const Figure& figure) {
        return change_cell(measured.mfs_runs(real_group()),
                           measured.slot_runs(real_group(), scheduler.name, slots), figure.of);
      });
    }
  }
  table.notes = {
      "Of the slot schedulers the change against MFS. Four machines have a fifth of the paper's "
      "cores, on which the jobs queue longer.",
      "CPU time is shared by weight, as the paper does it, and memory beyond a machine's costs "
      "nothing: tasks touch it, and this machine has it; swap_cost is of the other experiments. "
      "Ten times as fast as the trace: what a launch takes counts ten times."};
  return table;
}

ReproductionTable change_table(const std::vector<Measured>& all) {
  ReproductionTable table;
  table.title = "MFS against the best number of slots";
  table.columns = figure_columns("");
  for (const Measured& measured : all) {
    for (const SlotScheduler& scheduler : slot_schedulers) {
      table.rows.push_back(
          figure_row(fmt::format("{}, {}", scheduler.title, measured.variant().title),
                     [&](const JobGroup& group, const Figure& figure) {
                       return change_cell(measured.best_runs(group, scheduler.name, figure),
                                          measured.mfs_runs(group), figure.of);
                     }));
    }
  }
  table.notes = {"The best number of slots: by the mean, for each group and figure by itself."};
  return table;
}

ReproductionTable setting_table(const Measured& measured) {
  ReproductionTable table;
  table.title = fmt::format("Other settings, the slot schedulers with {} slots; {}", middle_slots,
                            measured.variant().title);
  table.columns = figure_columns("against the same without it");
  for (const OtherSetting& other : other_settings()) {
    table.rows.push_back(
        figure_row(std::string(other.title), [&](const JobGroup& group, const Figure& figure) {
          return change_cell(measured.runs(group, other.arms, other.base),
                             measured.runs(group, other.arms, other.label), figure.of);
        }));
  }
  return table;
}

// ---- statements ----

using FigureValues = std::array<double, figures.size()>;
constexpr std::size_t jct = 0;
constexpr std::size_t throughput = 1;

// What was reached on the jobs of one draw.
struct GroupDraw {
  FigureValues mfs{};
  std::array<std::array<FigureValues, slot_counts.size()>, slot_schedulers.size()> slots{};
};
constexpr std::size_t fair = 0;
constexpr std::size_t capacity = 1;

std::optional<FigureValues> values_of(const MeasuredRuns& runs, std::uint32_t repetition) {
  for (const MeasuredRun* run : runs) {
    if (run->repetition != repetition || run->outcome != RunOutcome::complete) continue;
    FigureValues values{};
    for (std::size_t i = 0; i < figures.size(); ++i) values[i] = figures[i].of(*run);
    return values;
  }
  return std::nullopt;
}

// None if any scheduler did not complete it.
std::optional<GroupDraw> draw_of(const Measured& measured, const JobGroup& group,
                                 std::uint32_t repetition) {
  GroupDraw draw;
  const auto mfs = values_of(measured.mfs_runs(group), repetition);
  if (!mfs) return std::nullopt;
  draw.mfs = *mfs;
  for (std::size_t i = 0; i < slot_schedulers.size(); ++i) {
    for (std::size_t j = 0; j < slot_counts.size(); ++j) {
      const auto values =
          values_of(measured.slot_runs(group, slot_schedulers[i].name, slot_counts[j]), repetition);
      if (!values) return std::nullopt;
      draw.slots[i][j] = *values;
    }
  }
  return draw;
}

template <std::size_t figure>
bool is_mfs_first(const GroupDraw& draw) {
  for (const auto& scheduler : draw.slots) {
    for (const FigureValues& values : scheduler) {
      const bool is_behind = figures[figure].is_less_better ? draw.mfs[figure] < values[figure]
                                                            : draw.mfs[figure] > values[figure];
      if (!is_behind) return false;
    }
  }
  return true;
}

constexpr double slots_matter_from = 0.1;

template <std::size_t scheduler>
bool do_slots_matter_little(const GroupDraw& draw) {
  for (std::size_t figure = 0; figure < figures.size(); ++figure) {
    double least = draw.slots[scheduler][0][figure];
    double most = least;
    for (const FigureValues& values : draw.slots[scheduler]) {
      least = std::min(least, values[figure]);
      most = std::max(most, values[figure]);
    }
    if (most > least * (1 + slots_matter_from)) return false;
  }
  return true;
}

// On average over the numbers of slots.
template <std::size_t figure, std::size_t worse>
bool is_worse(const GroupDraw& draw) {
  const auto mean_of_slots = [&](std::size_t scheduler) {
    const auto& all = draw.slots[scheduler];
    return std::accumulate(
               all.begin(), all.end(), 0.0,
               [](double sum, const FigureValues& values) { return sum + values[figure]; }) /
           static_cast<double>(all.size());
  };
  const double one = mean_of_slots(worse);
  const double other = mean_of_slots(worse == fair ? capacity : fair);
  return figures[figure].is_less_better ? one > other : one < other;
}

struct Statement {
  std::string_view title;
  std::size_t group = 0;
  bool (*holds)(const GroupDraw& draw) = nullptr;
};
constexpr std::size_t small = 0;
constexpr std::size_t large = 1;
constexpr std::size_t mixed = 2;
constexpr std::array<Statement, 12> statements{
    {{"small: MFS has the shortest mean JCT", small, is_mfs_first<jct>},
     {"small: MFS has the highest throughput", small, is_mfs_first<throughput>},
     {"large: MFS has the shortest mean JCT", large, is_mfs_first<jct>},
     {"large: MFS has the highest throughput", large, is_mfs_first<throughput>},
     {"mixed: MFS has the shortest mean JCT", mixed, is_mfs_first<jct>},
     {"mixed: MFS has the highest throughput", mixed, is_mfs_first<throughput>},
     {"small: slots hardly matter under Fair", small, do_slots_matter_little<fair>},
     {"small: slots hardly matter under Capacity", small, do_slots_matter_little<capacity>},
     {"small: Capacity is behind Fair, mean JCT", small, is_worse<jct, capacity>},
     {"small: Capacity is behind Fair, throughput", small, is_worse<throughput, capacity>},
     {"large: Fair is behind Capacity, mean JCT", large, is_worse<jct, fair>},
     {"large: Fair is behind Capacity, throughput", large, is_worse<throughput, fair>}}};

// "holds", "does not hold" or "in 7 of 10", of the draws that every scheduler completed.
TableCell statement_cell(const Measured& measured, const Statement& statement) {
  std::size_t judged = 0;
  std::size_t held = 0;
  for (std::uint32_t repetition = 1; repetition <= measured.repetitions(); ++repetition) {
    const auto draw = draw_of(measured, job_groups()[statement.group], repetition);
    if (!draw) continue;
    ++judged;
    if (statement.holds(*draw)) ++held;
  }
  if (judged == 0) return text_cell("-");
  const std::string count = fmt::format("{} of {}", held, judged);
  return number_cell(static_cast<double>(held), held == judged ? fmt::format("holds ({})", count)
                                                : held == 0
                                                    ? fmt::format("does not hold ({})", count)
                                                    : fmt::format("in {}", count));
}

// Of these groups.
ReproductionTable statement_table(const std::vector<Measured>& all,
                                  std::span<const JobGroup> groups) {
  ReproductionTable table;
  table.title = "What the paper states, by the draws of jobs in which it holds";
  table.columns = {"statement"};
  for (const Measured& measured : all) table.columns.emplace_back(measured.variant().title);
  for (const Statement& statement : statements) {
    if (statement.group >= groups.size()) continue;
    std::vector<TableCell>& row = table.rows.emplace_back();
    row.push_back(text_cell(std::string(statement.title)));
    for (const Measured& measured : all) row.push_back(statement_cell(measured, statement));
  }
  table.notes = {
      "MFS is compared with each number of slots of both schedulers.",
      "Slots hardly matter: the most and the least of each figure differ by at most 10 %. The "
      "paper says that the results differ little, of small jobs alone, and states no bound.",
      "Of Capacity on small jobs the paper says that it is rather poor, of Fair on large ones that "
      "it is poor where Capacity is good: each is taken as behind the other, on average over the "
      "numbers of slots."};
  return table;
}

}  // namespace

std::vector<ReproductionTable> real_tables(const ReproductionRequest& request,
                                           const ReproductionResults& results) {
  std::vector<Measured> all;
  for (const Variant& variant : real_variants()) {
    all.emplace_back(results, request.repetitions, variant);
  }
  return {statement_table(all, std::span(&real_group(), 1)), real_table(all)};
}

std::vector<ReproductionTable> tables(const ReproductionRequest& request,
                                      const ReproductionResults& results) {
  std::vector<Measured> all;
  for (const Variant& variant : variants()) all.emplace_back(results, request.repetitions, variant);
  std::vector<ReproductionTable> made{statement_table(all, job_groups()), change_table(all)};
  for (const Measured& measured : all) made.push_back(figure_table(measured));
  for (const Measured& measured : all) {
    if (measured.variant().has_other_settings) made.push_back(setting_table(measured));
  }
  return made;
}

}  // namespace tracebed::ma2012
