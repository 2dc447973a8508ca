#include "report/summary_text.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>
#include <set>
#include <string_view>
#include <vector>

#include "report/headline.h"
#include "report/text_report.h"
#include "report/text_table.h"
#include "report/verdict_text.h"
#include "report/world_text.h"

namespace tracebed {
namespace {

constexpr std::size_t terminal_columns = 100;
constexpr std::size_t head_lines = 2;     // of a table: titles and a rule
constexpr std::size_t caption_lines = 2;  // between the tables of worlds

// The lower, the rather a figure is shown where not all have room.
int figure_rank(const WorldComparison& world, std::size_t figure) {
  const std::string& key = world.figures[figure].key;
  if (world.primary == figure) return 0;
  if (key.ends_with("_mean")) return 1;
  if (!world.figures[figure].is_of_jobs) return 2;
  if (key.ends_with("_p95")) return 3;
  return key.ends_with("_p99") ? 4 : 5;
}

// In their order; at most `rows_max`.
std::vector<std::size_t> figures_shown(const WorldComparison& world, std::size_t rows_max) {
  std::vector<std::size_t> figures(world.figures.size());
  std::iota(figures.begin(), figures.end(), std::size_t{0});
  std::stable_sort(figures.begin(), figures.end(), [&](std::size_t a, std::size_t b) {
    return figure_rank(world, a) < figure_rank(world, b);
  });
  figures.resize(std::min(figures.size(), rows_max));
  std::sort(figures.begin(), figures.end());
  return figures;
}

// The best candidates, as many as have room beside the baseline.
std::vector<std::size_t> candidates_shown(const WorldComparison& world) {
  if (!world.primary) return {};
  constexpr std::size_t title_width = 24;
  constexpr std::size_t value_width = 10;
  const auto width_of = [&](std::size_t scheduler) {
    return 2 + std::max(value_width, world.schedulers[scheduler].label.size());
  };
  std::vector<std::size_t> shown = ranked_candidates(world);
  std::size_t width = title_width + width_of(0);
  std::size_t count = 0;
  for (; count < shown.size(); ++count) {
    width += width_of(world.candidates[shown[count]].scheduler);
    if (width > terminal_columns && count > 0) break;
  }
  shown.resize(count);
  return shown;
}

bool shows_difference(const FigureDifference& difference) {
  return difference.verdict == Verdict::better || difference.verdict == Verdict::worse;
}

// One candidate's values and verdicts; of several, only how they differ from the baseline.
class FiguresTable {
 public:
  FiguresTable(const WorldComparison& world, std::size_t rows_max)
      : world_(world), shown_(candidates_shown(world)), rows_(figures_shown(world, rows_max)) {}

  std::string text() const {
    TextTable table(header(), has_verdicts());
    for (const std::size_t figure : rows_) table.add_row(row(figure));
    return table.to_string();
  }

  // What the table does not show.
  std::string rest() const {
    std::vector<std::string> rest;
    const std::size_t left_out = world_.candidates.size() - shown_.size();
    if (left_out > 0) rest.push_back(fmt::format("{} more schedulers", left_out));
    if (rows_.size() < world_.figures.size()) {
      rest.push_back(fmt::format("{} more figures", world_.figures.size() - rows_.size()));
    }
    return fmt::format("{}", fmt::join(rest, " and "));
  }

  bool has_unsettled() const {
    return !is_of_one() && std::any_of(shown_.begin(), shown_.end(), [&](std::size_t c) {
      return std::any_of(rows_.begin(), rows_.end(), [&](std::size_t figure) {
        return !shows_difference(world_.candidates[c].differences[figure]);
      });
    });
  }

 private:
  bool is_of_one() const { return world_.candidates.size() == 1 && shown_.size() == 1; }

  // One repetition has none.
  bool has_verdicts() const {
    return is_of_one() && world_.candidates.front().pairs.repetitions_min() > 1;
  }

  std::vector<std::string> header() const {
    std::vector<std::string> titles{"figure", world_.schedulers.front().label};
    for (const std::size_t c : shown_) {
      titles.push_back(world_.schedulers[world_.candidates[c].scheduler].label);
    }
    if (is_of_one()) titles.emplace_back("change");
    if (has_verdicts()) titles.emplace_back("verdict");
    return titles;
  }

  std::vector<std::string> row(std::size_t f) const {
    const ComparedFigure& figure = world_.figures[f];
    std::vector<std::string> cells{
        figure.unit.empty() ? figure.title : fmt::format("{} ({})", figure.title, figure.unit),
        readable(world_.schedulers.front().figures[f])};
    for (const std::size_t c : shown_) {
      const Candidate& candidate = world_.candidates[c];
      const FigureDifference& difference = candidate.differences[f];
      const std::string change = change_text(figure, difference);
      if (is_of_one()) {
        cells.push_back(readable(world_.schedulers[candidate.scheduler].figures[f]));
        cells.push_back(change);
        if (has_verdicts()) cells.push_back(short_verdict(difference));
      } else {
        cells.push_back(shows_difference(difference) ? change : fmt::format("({})", change));
      }
    }
    return cells;
  }

  const WorldComparison& world_;
  std::vector<std::size_t> shown_;  // candidates
  std::vector<std::size_t> rows_;   // figures
};

std::string figures_text(const Comparison& comparison) {
  const std::size_t worlds = comparison.worlds.size();
  const std::size_t each = summary_table_lines_max / worlds;
  const std::size_t beside = head_lines + (worlds > 1 ? caption_lines : 0);
  const std::size_t rows_max = each > beside ? each - beside : 1;
  std::string text;
  for (const WorldComparison& world : comparison.worlds) {
    const FiguresTable table(world, rows_max);
    text += worlds > 1 ? fmt::format("\n{} world\n", world.world) : "\n";
    text += table.text();
    if (table.has_unsettled()) {
      text += fmt::format("Changes against {}; in parentheses: not shown to be better or worse.\n",
                          world.schedulers.front().label);
    }
    if (!table.rest().empty()) text += fmt::format("{}: --details\n", table.rest());
  }
  return text;
}

// Runs in two worlds are compared for how far these agree: the schedulers of each world, and where
// a difference comes from, are details, except of a single scheduler.
std::string worlds_text(const Comparison& comparison) {
  const std::size_t rows_max =
      summary_table_lines_max / comparison.world_agreements.size() - head_lines - caption_lines;
  std::string text;
  for (const WorldAgreement& worlds : comparison.world_agreements) {
    text += "\n" + agreement_table(worlds, rows_max);
  }
  const bool is_of_one = comparison.world_differences.size() == 1;
  if (is_of_one) text += "\n" + world_difference_text(comparison.world_differences.front());
  const bool has_figures = std::any_of(comparison.worlds.begin(), comparison.worlds.end(),
                                       [](const auto& world) { return !world.candidates.empty(); });
  if (is_of_one && !has_figures) return text;
  return text + (is_of_one ? "the figures of each world: --details\n"
                           : "where differences come from, and the figures of each world: "
                             "--details\n");
}

std::string notes_text(const Comparison& comparison) {
  std::string text;
  std::size_t count = 0;
  std::set<std::string_view> told;  // two worlds may have the same to say
  for (const WorldComparison& world : comparison.worlds) {
    for (const std::string& note : world.notes) {
      if (!told.insert(note).second) continue;
      if (++count <= summary_notes_max) text += fmt::format("note: {}\n", note);
    }
  }
  if (count > summary_notes_max) {
    text += fmt::format("{} more notes: --details\n", count - summary_notes_max);
  }
  return text;
}

}  // namespace

std::string summary_text(const Comparison& comparison) {
  return wrapped(headline(comparison)) +
         (comparison.world_agreements.empty() ? figures_text(comparison)
                                              : worlds_text(comparison)) +
         notes_text(comparison);
}

}  // namespace tracebed
