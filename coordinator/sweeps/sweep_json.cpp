#include "coordinator/sweeps/sweep_json.h"

#include "coordinator/sweeps/best_setting.h"

namespace tracebed {
namespace {

// The value as TOML has it, where JSON writes it alike; else as a text.
Json value_json(const std::string& toml) {
  Json value = Json::parse(toml, nullptr, /*allow_exceptions=*/false);
  return value.is_discarded() ? Json(shown_value(toml)) : value;
}

Json interval_json(const std::optional<ConfidenceInterval>& interval) {
  return interval ? Json::array({interval->low, interval->high}) : Json();
}

Json difference_json(const SettingDifference& difference) {
  return {{"setting", difference.setting},
          {"difference", difference.difference},
          {"interval", interval_json(difference.interval)},
          {"verdict", name(difference.verdict)}};
}

Json best_json(const SweepResults& results, const BestSetting& best) {
  Json json{{"setting", best.setting},
            {"neighbours", Json::array()},
            {"others", Json::array()},
            {"incomplete", best.incomplete}};
  for (const SettingNeighbour& neighbour : best.neighbours) {
    Json one = difference_json(neighbour.difference);
    one["key"] = results.plan.keys[neighbour.key].key;
    json["neighbours"].push_back(std::move(one));
  }
  for (const SettingDifference& other : best.others) {
    json["others"].push_back(difference_json(other));
  }
  return json;
}

Json mean_json(const ResponseMean& response) {
  const std::optional<MeanOfRuns>& mean = response.mean;
  return {{"settings", response.settings},
          {"mean", mean ? Json(mean->mean) : Json()},
          {"interval", interval_json(mean ? mean->interval : std::nullopt)},
          {"best", response.best ? Json(*response.best) : Json()}};
}

Json keys_json(const SweepResults& results) {
  Json keys = Json::array();
  for (const SweptKey& key : results.plan.keys) {
    Json values = Json::array();
    for (const std::string& value : key.values) values.push_back(value_json(value));
    keys.push_back({{"key", key.key}, {"values", std::move(values)}});
  }
  return keys;
}

Json setting_json(const SweepResults& results, const SweepSetting& setting) {
  const std::optional<MeanOfRuns> mean = mean_of(setting.figures());
  Json json{{"points", setting.points},
            {"values", values_json(results.plan.keys, setting.values)},
            {"scheduler", setting.scheduler},
            {"mean", mean ? Json(mean->mean) : Json()},
            {"interval", interval_json(mean ? mean->interval : std::nullopt)},
            {"incomplete", setting.incomplete()},
            {"runs", Json::array()}};
  for (const SettingRun& run : setting.runs) {
    Json& shown = json["runs"].emplace_back(Json{{"seed", run.seed},
                                                 {"outcome", name(run.outcome)},
                                                 {"digest", run.digest},
                                                 {"value", run.value ? Json(*run.value) : Json()}});
    if (run.stall) shown["stall"] = name(*run.stall);
  }
  return json;
}

Json responses_json(const SweepResults& results) {
  Json all = Json::array();
  for (const Response& response : responses(results)) {
    const SweptKey& key = results.plan.keys[response.key];
    Json one{{"key", key.key}, {"scheduler", response.scheduler}, {"rows", Json::array()}};
    for (const ResponseRow& row : response.rows) {
      Json cell{{"value", value_json(key.values[row.value])}};
      cell.update(mean_json(row.response));
      one["rows"].push_back(std::move(cell));
    }
    all.push_back(std::move(one));
  }
  return all;
}

Json pairs_json(const SweepResults& results) {
  Json all = Json::array();
  for (const PairedResponse& pair : paired_responses(results)) {
    const SweptKey& first = results.plan.keys[pair.first];
    const SweptKey& second = results.plan.keys[pair.second];
    Json one{
        {"keys", {first.key, second.key}}, {"scheduler", pair.scheduler}, {"cells", Json::array()}};
    for (const PairedResponse::Cell& cell : pair.cells) {
      Json json{{"values",
                 {value_json(first.values[cell.first_value]),
                  value_json(second.values[cell.second_value])}}};
      json.update(mean_json(cell.response));
      one["cells"].push_back(std::move(json));
    }
    all.push_back(std::move(one));
  }
  return all;
}

}  // namespace

Json values_json(const std::vector<SweptKey>& keys,
                 const std::vector<std::optional<std::size_t>>& values) {
  Json json = Json::object();
  for (std::size_t k = 0; k < keys.size(); ++k) {
    if (values[k]) json[keys[k].key] = value_json(keys[k].values[*values[k]]);
  }
  return json;
}

Json results_object(const SweepResults& results) {
  Json json{{"experiment", results.plan.name},
            {"figure", results.figure.key},
            {"figure_title", title_of(results.figure)},
            {"lower_is_better", results.figure.lower_is_better},
            {"points", results.plan.points.size()},
            {"finished", results.points_finished},
            {"keys", keys_json(results)},
            {"missing", Json::array()},
            {"settings", Json::array()},
            {"responses", responses_json(results)},
            {"pairs", pairs_json(results)}};
  for (const auto& [number, why] : results.missing) {
    const auto& values = results.plan.points[number - 1].values;
    json["missing"].push_back(
        {{"point", number}, {"values", values_json(results.plan.keys, values)}, {"why", why}});
  }
  for (const SweepSetting& setting : results.settings) {
    json["settings"].push_back(setting_json(results, setting));
  }
  const std::optional<BestSetting> best = best_setting(results);
  json["best"] = best ? best_json(results, *best) : Json();
  return json;
}

}  // namespace tracebed
