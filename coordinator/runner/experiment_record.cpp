#include "coordinator/runner/experiment_record.h"

#include <array>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <utility>

#include "coordinator/runner/experiment_report.h"
#include "coordinator/runner/replay_plans.h"
#include "coordinator/worlds/run_world.h"
#include "core/input_error.h"
#include "report/file_list.h"
#include "report/run_json.h"
#include "system/mapped_file.h"
#include "system/replace_file.h"

namespace tracebed {
namespace {

constexpr const char* record_file = "experiment.json";
constexpr const char* record_format = "tracebed-experiment";
// As that of run.json, so that both are of one program.
constexpr std::uint32_t record_version = 3;

void check_record_format(JsonInput& fields, const std::filesystem::path& file) {
  std::uint32_t version = 1;  // had neither key
  if (fields.has("format")) {
    std::string format;
    fields("format", format);
    if (format != record_format) {
      fields.refuse_value("format", fmt::format("\"{}\"", record_format));
    }
    fields("version", version);
  }
  check_format_version(file, version, record_version);
}

[[noreturn]] void refuse_unended(const std::filesystem::path& file,
                                 const std::vector<std::filesystem::path>& folders) {
  std::string ended;
  for (const std::filesystem::path& folder : folders) ended += " " + folder.string();
  throw InputError(
      fmt::format("{}: the experiment is still running, or its program was killed before the "
                  "folder was complete; completed runs:{}",
                  file.string(), ended.empty() ? " none" : ended));
}

Json read_record(const std::filesystem::path& file) {
  const MappedFile contents(file);
  Json root = parse_json_file(file, contents.bytes());
  JsonInput fields(root, file.string());
  check_record_format(fields, file);
  check_own_checksum(file, contents.bytes());
  return root;
}

nlohmann::ordered_json to_json(const FinishedReplay& replay, const std::filesystem::path& output) {
  nlohmann::ordered_json json{
      {"scheduler", replay.label},
      {"repetition", replay.repetition},
      {"seed", replay.seed},
      {"folder", replay.folder.lexically_relative(output).string()},
      {"outcome", name(replay.outcome)},
      {"digest", replay.digest},
      {"jobs_ended", replay.jobs_ended},
      {"wall_seconds", replay.wall_seconds},
  };
  for (const auto& [reason, jobs] : replay.rejections) json["rejections"][reason] = jobs;
  for (const auto& [reason, jobs] : replay.failures) json["failures"][reason] = jobs;
  if (!replay.reason.empty()) json["reason"] = replay.reason;
  if (replay.stall) {
    json["stall"] = {{"kind", name(*replay.stall)}, {"chain", replay.stall_chain}};
  }
  return json;
}

}  // namespace

nlohmann::ordered_json to_json(const ExperimentTables& experiment,
                               const FinishedExperiment& finished) {
  nlohmann::ordered_json json{
      {"experiment", experiment.name},
      {"world", name(experiment.world)},
      {"output", experiment.output.string()},
      {"compare",
       {{"baseline", experiment.compare.baseline},
        {"primary", experiment.compare.primary},
        {"matters_from", experiment.compare.matters_from}}},
      {"cancelled", finished.is_cancelled},
      {"replays", nlohmann::ordered_json::array()},
  };
  const auto add = [&](const char* key, const std::vector<FinishedReplay>& replays) {
    for (const FinishedReplay& replay : replays) {
      json[key].push_back(to_json(replay, experiment.output));
    }
  };
  add("replays", finished.replays);
  add("noise", finished.noise);
  return json;
}

void write_experiment_record(const ExperimentTables& experiment, const FinishedExperiment& finished,
                             bool has_ended, const std::string& failure) {
  Json root{{"format", record_format}, {"version", record_version}};
  root.update(to_json(experiment, finished));
  root["overrides"] = Json::array();
  for (const auto& [key, value] : experiment.overrides) {
    root["overrides"].push_back({{"key", key}, {"value", value}});
  }
  root["has_ended"] = has_ended;
  if (!failure.empty()) root["failure"] = failure;
  for (std::size_t i = 0; i < finished.replays.size(); ++i) {
    const FileChecksum& record = finished.replays[i].record;
    if (record.sha256.empty()) continue;
    root["replays"][i]["record"] = {{"bytes", record.bytes}, {"sha256", record.sha256}};
  }
  std::filesystem::create_directories(experiment.output);
  replace_file(experiment.output / record_file, with_own_checksum(std::move(root)));
}

CompareChoice recorded_compare_choice(const std::filesystem::path& output) {
  CompareChoice choice;
  const std::filesystem::path file = output / record_file;
  if (!std::filesystem::exists(file)) return choice;
  const Json root = read_record(file);
  JsonInput fields(root, file.string());
  if (!fields.has("compare")) return choice;  // of a program that had no choice
  fields.object("compare", [&](JsonInput& f) {
    f("baseline", choice.baseline);
    f("primary", choice.primary);
    f("matters_from", choice.matters_from);
  });
  return choice;
}

std::optional<std::vector<std::filesystem::path>> recorded_run_folders(
    const std::filesystem::path& output) {
  const std::filesystem::path file = output / record_file;
  if (!std::filesystem::exists(file)) return std::nullopt;
  const Json root = read_record(file);
  JsonInput fields(root, file.string());
  std::vector<ListedFile> records;
  std::vector<std::filesystem::path> folders;
  fields.list("replays", records, [&](JsonInput& f, ListedFile& listed) {
    std::string folder;
    f("folder", folder);
    folders.push_back(output / folder);
    listed.file = folder + "/" + run_json_file;
    if (!f.has("record")) return;
    f.object("record", [&](JsonInput& r) {
      r("bytes", listed.checksum.bytes);
      r("sha256", listed.checksum.sha256);
    });
  });
  bool has_ended = false;
  fields("has_ended", has_ended);
  if (!has_ended) refuse_unended(file, folders);
  // A run that failed before it had a record.
  std::erase_if(records, [](const ListedFile& listed) { return listed.checksum.sha256.empty(); });
  check_files(output, records, FileCheck::contents);
  check_report(output);
  if (const auto noise = recorded_run_folders(output / noise_folder)) {
    folders.insert(folders.end(), noise->begin(), noise->end());
  }
  return folders;
}

std::vector<Override> recorded_overrides(const std::filesystem::path& output) {
  const std::filesystem::path file = output / record_file;
  const MappedFile contents(file);
  const Json root = parse_json_file(file, contents.bytes());
  JsonInput fields(root, file.string());
  std::vector<Override> overrides;
  fields.list("overrides", overrides, [&](JsonInput& f, Override& given) {
    f("key", given.key);
    f("value", given.value);
    given.flag = fmt::format("{}: {}", file.string(), given.key);
  });
  return overrides;
}

}  // namespace tracebed
