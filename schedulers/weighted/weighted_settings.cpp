#include "schedulers/weighted/weighted_settings.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>

#include "schedulers/weighted/predicates/predicates.h"
#include "schedulers/weighted/priorities/priorities.h"

namespace tracebed {
namespace {

constexpr std::string_view subject = "scheduler weighted_priorities";
constexpr std::string_view random_name = "random";
// So many heartbeats may be late (dfs.namenode.stale.datanode.minimum.interval).
constexpr int stale_heartbeats = 3;

template <class Part>
const Part* find_part(std::span<const Part* const> parts, std::string_view name) {
  const auto found = std::find_if(parts.begin(), parts.end(),
                                  [&](const Part* part) { return part->name == name; });
  return found == parts.end() ? nullptr : *found;
}

template <class Part>
std::string names_of(std::span<const Part* const> parts) {
  std::string names;
  for (const Part* part : parts) names += (names.empty() ? "" : ", ") + std::string(part->name);
  return names;
}

Error wrong(std::string_view setting, const std::string& expected, std::string_view got) {
  return Error{std::string(subject) + ", setting " + std::string(setting) + ": expected " +
                   expected + ", got \"" + std::string(got) + "\"",
               std::string(setting)};
}

// The words between commas; nothing is no words. Spaces around a word do not count.
std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  while (!text.empty()) {
    const std::size_t comma = text.find(',');
    std::string_view word = text.substr(0, comma);
    while (word.starts_with(' ')) word.remove_prefix(1);
    while (word.ends_with(' ')) word.remove_suffix(1);
    words.push_back(word);
    if (comma == std::string_view::npos) break;
    text.remove_prefix(comma + 1);
    if (text.empty()) words.emplace_back();  // a comma promises another
  }
  return words;
}

std::string_view value_of(const SchedulerParameters& parameters, std::string_view name) {
  const auto given = parameters.settings.find(name);
  if (given != parameters.settings.end()) return given->second;
  for (const SettingDescription& setting : weighted_setting_descriptions()) {
    if (setting.name == name) return setting.default_value;
  }
  return {};
}

Status read_predicates(std::string_view text, WeightedSettings& settings) {
  const auto constant = constant_predicates();
  settings.predicates.assign(constant.begin(), constant.end());
  for (const std::string_view word : words_of(text)) {
    const Predicate* const predicate = find_part(optional_predicates(), word);
    const auto end = settings.predicates.end();
    if (predicate == nullptr || std::find(settings.predicates.begin(), end, predicate) != end) {
      return wrong("predicates", "names, each once, of " + names_of(optional_predicates()), word);
    }
    settings.predicates.push_back(predicate);
  }
  return success();
}

std::optional<std::int64_t> priority_weight(std::string_view text) {
  std::int64_t weight = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, weight);
  if (error != std::errc() || stop != end) return std::nullopt;
  if (weight < 1 || weight > score_weight_max) return std::nullopt;
  return weight;
}

Status read_priorities(std::string_view text, WeightedSettings& settings) {
  for (const std::string_view word : words_of(text)) {
    const std::size_t sign = word.find('=');
    const Priority* const priority = find_part(all_priorities(), word.substr(0, sign));
    const auto weight = sign == std::string_view::npos ? std::optional<std::int64_t>(1)
                                                       : priority_weight(word.substr(sign + 1));
    const bool is_new =
        std::none_of(settings.priorities.begin(), settings.priorities.end(),
                     [&](const WeightedPriority& known) { return known.priority == priority; });
    if (priority == nullptr || !weight || !is_new) {
      return wrong("priorities",
                   "NAME=WEIGHT, each name once, with a weight from 1 to " +
                       std::to_string(score_weight_max) + ", of " + names_of(all_priorities()),
                   word);
    }
    settings.priorities.push_back({priority, *weight});
  }
  return success();
}

Status read_ties(std::string_view text, WeightedSettings& settings) {
  const std::vector<std::string_view> words = words_of(text);
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == random_name && i + 1 == words.size()) {
      settings.draws_last = true;
      break;
    }
    const Priority* const priority = find_part(all_priorities(), words[i]);
    if (priority == nullptr || settings.ties.size() == WeightedSettings::ties_max) {
      return wrong("ties",
                   "at most " + std::to_string(WeightedSettings::ties_max) +
                       " names of priorities, then possibly random, of " +
                       names_of(all_priorities()),
                   words[i]);
    }
    settings.ties.push_back(priority);
  }
  return success();
}

}  // namespace

const std::vector<SettingDescription>& weighted_setting_descriptions() {
  static const std::vector<SettingDescription> all{
      {"predicates", "label",
       "what else a node must meet, separated by commas: `label`, `dedicated`, `apart`, "
       "`apart_from_user`, `beside_user`, `not_stale`, `not_under_pressure`; it must always have "
       "room for the unit, and be a place "
       "that the ask allows"},
      {"priorities", "least_allocated=1,balanced_allocation=1,spread_by_job=1",
       "what a node gets up to 10 points for, with the weight of each, 1 to 1000000; the sum "
       "decides"},
      {"ties", "random",
       "priorities that decide between equal sums, one after the other, at most three; `random` as "
       "the last draws one of those that are still equal, otherwise it is the first by id"},
      {"share", "sum",
       "how much of a node is used: `sum` of the used shares of all dimensions, or the `dominant` "
       "one"},
      {"percentage_of_nodes", "100",
       "after how many candidates the search for more ends, in percent of the nodes, but not below "
       "100 candidates; 0: 50 less one for every 125 nodes, at least 5 (percentageOfNodesToScore)"},
      {"stale_after_ms", "30000",
       "of `not_stale`: milliseconds without a heartbeat after which a node gets nothing; three "
       "heartbeats of the cluster's nodes if that is longer"},
      {"memory_pressure", "0.95",
       "of `not_under_pressure`: part of a node's memory, as its last heartbeat measured it, from "
       "which on it gets nothing, 0 to 1"},
      {"io_pressure", "0.5",
       "likewise: part of the time in which tasks on the node waited for I/O (Linux: some avg10), "
       "0 to 1"},
  };
  return all;
}

Result<WeightedSettings> read_weighted_settings(const SchedulerParameters& parameters) {
  SettingReader reader(subject, weighted_setting_descriptions(), parameters.settings);
  WeightedSettings settings;
  settings.seed = parameters.seed;
  settings.share =
      reader.choice("share", {"sum", "dominant"}) == 0 ? UsedShare::sum : UsedShare::dominant;
  settings.percentage_of_nodes =
      static_cast<std::uint32_t>(reader.integer("percentage_of_nodes", 0, 100));
  settings.conditions.stale_after =
      std::max(reader.milliseconds_of("stale_after_ms", 0, SettingReader::milliseconds_max),
               stale_heartbeats * parameters.heartbeat);
  settings.conditions.memory_pressure = reader.fraction("memory_pressure", 0, 1);
  settings.conditions.io_pressure =
      static_cast<std::int32_t>(std::lround(reader.fraction("io_pressure", 0, 1) * 1'000));
  if (const Status status = reader.status(); !status) return status.error();
  Status status = read_predicates(value_of(parameters, "predicates"), settings);
  if (status) status = read_priorities(value_of(parameters, "priorities"), settings);
  if (status) status = read_ties(value_of(parameters, "ties"), settings);
  if (!status) return status.error();
  return settings;
}

}  // namespace tracebed
