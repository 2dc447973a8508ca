#include "report/headline.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>
#include <utility>

#include "report/text_table.h"
#include "report/verdict_text.h"
#include "report/world_text.h"

namespace tracebed {
namespace {

constexpr std::size_t verdicts_max = 3;
constexpr std::size_t agreements_max = 3;

// "fifo", "fifo and spread", "fifo, spread and random".
std::string enumerated(const std::vector<std::string>& names) {
  std::string text = names.front();
  for (std::size_t i = 1; i < names.size(); ++i) {
    text += (i + 1 == names.size() ? " and " : ", ") + names[i];
  }
  return text;
}

// In the largest unit of which there is one.
std::string rounded_duration(double seconds) {
  using Unit = std::pair<double, const char*>;
  for (const auto& [size, unit] :
       {Unit(86'400, "d"), Unit(3'600, "h"), Unit(60, "min"), Unit(1, "s")}) {
    if (seconds >= size) return fmt::format("{:.3g} {}", seconds / size, unit);
  }
  return fmt::format("{:.3g} ms", seconds * 1'000);
}

std::string verdicts_sentence(const WorldComparison& world) {
  const ComparedFigure& primary = world.figures[*world.primary];
  std::vector<std::pair<std::string, std::vector<std::string>>> by_verdict;
  for (const std::size_t c : ranked_candidates(world)) {
    const Candidate& candidate = world.candidates[c];
    std::string text = verdict_text(primary, candidate.differences[*world.primary]);
    const auto known = std::find_if(by_verdict.begin(), by_verdict.end(),
                                    [&](const auto& entry) { return entry.first == text; });
    auto& entry = known == by_verdict.end()
                      ? by_verdict.emplace_back(std::move(text), std::vector<std::string>())
                      : *known;
    entry.second.push_back(world.schedulers[candidate.scheduler].label);
  }
  std::string sentence =
      fmt::format("In the {} world, over {}, {} against {}: ", world.world,
                  counted_jobs(world.jobs_common), primary.title, world.schedulers.front().label);
  for (std::size_t v = 0; v < std::min(by_verdict.size(), verdicts_max); ++v) {
    sentence += fmt::format("{}{} – {}", v == 0 ? "" : "; ", enumerated(by_verdict[v].second),
                            by_verdict[v].first);
  }
  return sentence + (by_verdict.size() > verdicts_max ? "; the table has the others." : ".");
}

double mean_makespan(const ComparedScheduler& scheduler) {
  double sum = 0;
  for (const RunMetrics& run : scheduler.metrics) sum += run.makespan;
  return sum / static_cast<double>(scheduler.metrics.size());
}

std::string end_sentence(const WorldComparison& world) {
  if (world.schedulers.size() > 1) {
    return fmt::format(
        "In the {} world, {} succeeded under all {} schedulers: too few to judge them.",
        world.world, counted_jobs(world.jobs_common), world.schedulers.size());
  }
  const ComparedScheduler& only = world.schedulers.front();
  std::string sentence = fmt::format("{} in the {} world: {} succeeded in {}", only.label,
                                     world.world, counted_jobs(only.metrics.front().succeeded),
                                     rounded_duration(mean_makespan(only)));
  if (world.primary) {
    const ComparedFigure& primary = world.figures[*world.primary];
    sentence += fmt::format(", {} {}{}{}", primary.title, readable(only.figures[*world.primary]),
                            primary.unit.empty() ? "" : " ", primary.unit);
  }
  return sentence + ".";
}

}  // namespace

std::vector<std::size_t> ranked_candidates(const WorldComparison& world) {
  std::vector<std::size_t> order(world.candidates.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const std::size_t primary = *world.primary;
  const double sign = world.figures[primary].lower_is_better ? 1 : -1;
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return sign * world.candidates[a].differences[primary].difference <
           sign * world.candidates[b].differences[primary].difference;
  });
  return order;
}

std::string headline(const Comparison& comparison) {
  std::vector<std::string> sentences;
  for (const WorldComparison& world : comparison.worlds) {
    if (!world.candidates.empty() && world.primary) sentences.push_back(verdicts_sentence(world));
  }
  for (const WorldAgreement& worlds : comparison.world_agreements) {
    const std::size_t shown = std::min(worlds.schedulers.size(), agreements_max);
    for (std::size_t s = 0; s < shown; ++s) {
      sentences.push_back(agreement_sentence(worlds, worlds.schedulers[s]));
    }
    if (worlds.schedulers.size() > 1) sentences.push_back(order_sentence(worlds));
  }
  if (sentences.empty()) return end_sentence(comparison.worlds.front());
  return fmt::format("{}", fmt::join(sentences, " "));
}

}  // namespace tracebed
