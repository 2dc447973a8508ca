#include "report/sampled_choices.h"

namespace tracebed {

using Json = nlohmann::ordered_json;

Json choice_json(const SampledChoice& choice) {
  Json excluded = Json::object();
  for (const auto& [rule, nodes] : choice.excluded) excluded[rule] = nodes;
  Json best = Json::array();
  for (const RankedNode& ranked : choice.best) {
    Json scores = Json::object();
    for (const auto& [name, score] : ranked.scores) scores[name] = score;
    best.push_back({{"node", ranked.node}, {"scores", std::move(scores)}});
  }
  return {{"seconds", to_seconds(choice.at)},
          {"job", choice.job.value()},
          {"node", choice.chosen},
          {"candidates", choice.candidates},
          {"excluded", std::move(excluded)},
          {"best", std::move(best)}};
}

}  // namespace tracebed
