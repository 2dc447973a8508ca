#include "coordinator/monitoring/choice_sampler.h"

#include <algorithm>
#include <map>
#include <string>

#include "core/visit.h"

namespace tracebed {
namespace {

// Scores are numbers; what is none is not compared.
double number_of(const Figure& figure) {
  double number = 0;
  visit_all(
      figure.value, [&](double value) { number = value; },
      [&](std::int64_t value) { number = static_cast<double>(value); },
      Ignore<bool, Ratio, Duration, Resources, ResourceLimit, Unlimited, std::string>{});
  return number;
}

SampledChoice sampled(const PlacementChoice& choice, const ClusterModel& cluster) {
  SampledChoice result{.at = choice.at, .job = choice.job};
  std::map<std::string, std::uint64_t> excluded;
  std::vector<const NodeScore*> candidates;
  for (const NodeScore& score : choice.nodes) {
    if (score.excluded_by.empty()) {
      candidates.push_back(&score);
    } else {
      ++excluded[score.excluded_by];
    }
  }
  result.candidates = candidates.size();
  result.excluded.assign(excluded.begin(), excluded.end());
  if (choice.chosen.is_valid()) result.chosen = cluster.node(choice.chosen).name;
  const auto first_score = [](const NodeScore& score) {
    return score.scores.empty() ? 0 : number_of(score.scores.front());
  };
  std::stable_sort(candidates.begin(), candidates.end(),
                   [&](const NodeScore* a, const NodeScore* b) {
                     const bool is_a_chosen = a->node == choice.chosen;
                     const bool is_b_chosen = b->node == choice.chosen;
                     if (is_a_chosen != is_b_chosen) return is_a_chosen;
                     return first_score(*a) > first_score(*b);
                   });
  candidates.resize(std::min(candidates.size(), ChoiceSampler::ranked_max));
  for (const NodeScore* const score : candidates) {
    RankedNode& ranked = result.best.emplace_back();
    ranked.node = cluster.node(score->node).name;
    for (const Figure& figure : score->scores) {
      ranked.scores.emplace_back(std::string(figure.id), number_of(figure));
    }
  }
  return result;
}

}  // namespace

void ChoiceSampler::take(const SchedulerView& view, const ClusterModel& cluster) {
  if (view.choices.empty()) return;
  if (taken_++ % stride_ != 0) return;
  if (choices_.size() == kept_max) {
    for (std::size_t i = 1; i < kept_max / 2; ++i) choices_[i] = std::move(choices_[2 * i]);
    choices_.resize(kept_max / 2);
    stride_ *= 2;
  }
  choices_.push_back(sampled(view.choices.front(), cluster));
}

}  // namespace tracebed
