// A reproduction's tables, for people and for programs.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "coordinator/reproductions/reproduction_run.h"
#include "core/check.h"
#include "report/machine_load.h"
#include "report/text_table.h"

namespace tracebed {
namespace {

using Json = nlohmann::ordered_json;

std::string value_of(const SettingDescription& setting, const SettingValues& given) {
  const auto found = given.find(setting.name);
  return found == given.end() ? std::string(setting.default_value) : found->second;
}

std::string table_text(const ReproductionTable& table) {
  TextTable text(table.columns);
  for (const std::vector<TableCell>& row : table.rows) {
    TRACEBED_CHECK(row.size() == table.columns.size(), "a row has a cell for each column");
    std::vector<std::string> cells;
    for (const TableCell& cell : row) cells.push_back(cell.text);
    text.add_row(std::move(cells));
  }
  std::string result = table.title + "\n\n" + text.to_string();
  for (const std::string& note : table.notes) result += "  " + note + "\n";
  return result;
}

Json cell_json(const TableCell& cell) {
  Json json{{"text", cell.text}};
  if (cell.value) json["value"] = *cell.value;
  if (cell.interval) json["interval"] = {cell.interval->low, cell.interval->high};
  return json;
}

Json table_json(const ReproductionTable& table) {
  Json rows = Json::array();
  for (const std::vector<TableCell>& row : table.rows) {
    Json cells = Json::array();
    for (const TableCell& cell : row) cells.push_back(cell_json(cell));
    rows.push_back(std::move(cells));
  }
  return {{"title", table.title},
          {"columns", table.columns},
          {"rows", std::move(rows)},
          {"notes", table.notes}};
}

// What else the machine did, which real runs suffer from.
std::optional<std::string> load_note(const FinishedReproduction& finished) {
  std::vector<MachineLoad> loads;
  for (const MeasuredRun& run : finished.results.all()) {
    loads.insert(loads.end(), run.machine_loads.begin(), run.machine_loads.end());
  }
  return machine_load_note(loads);
}

}  // namespace

std::string to_text(const Reproduction& reproduction, const FinishedReproduction& finished) {
  std::string text = fmt::format(
      "{}\n{} repetition{} with seed {} and following; means with 95 % intervals over them.\n",
      reproduction.paper, finished.request.repetitions,
      finished.request.repetitions == 1 ? "" : "s", finished.request.seed);
  if (finished.is_real) {
    text += "As processes on agents of this machine, at scale, and on modelled machines.\n";
  }
  for (const SettingDescription& setting : reproduction.settings) {
    const std::string value = value_of(setting, finished.request.settings);
    text += fmt::format("{} = {}{}: {}\n", setting.name, value,
                        value == setting.default_value ? "" : " (set)", setting.meaning);
  }
  if (!finished.left_out.empty()) {
    text += fmt::format("Not run: {}\n", fmt::join(finished.left_out, ", "));
  }
  if (const std::optional<std::string> note = load_note(finished)) {
    text += fmt::format("note: {}\n", *note);
  }
  for (const ReproductionTable& table : finished.tables) text += "\n" + table_text(table);
  return text;
}

std::string to_json(const Reproduction& reproduction, const FinishedReproduction& finished) {
  Json settings = Json::object();
  for (const SettingDescription& setting : reproduction.settings) {
    settings[std::string(setting.name)] = value_of(setting, finished.request.settings);
  }
  Json runs = Json::array();
  for (const MeasuredRun& run : finished.results.all()) {
    runs.push_back(
        {{"experiment", run.experiment},
         {"scheduler", run.label},
         {"repetition", run.repetition},
         {"seed", run.seed},
         {"outcome", name(run.outcome)},
         {"digest", run.digest},
         {"folder", run.folder.lexically_relative(finished.request.folder).generic_string()}});
  }
  Json tables = Json::array();
  for (const ReproductionTable& table : finished.tables) tables.push_back(table_json(table));
  Json root{{"format", "tracebed-reproduction"},
            {"version", 1},
            {"name", reproduction.name},
            {"paper", reproduction.paper},
            {"part", finished.is_real ? "local" : "virtual"},
            {"seed", finished.request.seed},
            {"repetitions", finished.request.repetitions},
            {"settings", std::move(settings)},
            {"left_out", finished.left_out},
            {"runs", std::move(runs)},
            {"tables", std::move(tables)}};
  if (const std::optional<std::string> note = load_note(finished)) root["machine_load"] = *note;
  return root.dump(2) + "\n";
}

}  // namespace tracebed
