#include "coordinator/api/run_entry.h"

#include <chrono>
#include <fmt/format.h>
#include <fstream>
#include <nlohmann/json.hpp>
#include <spdlog/spdlog.h>

#include "core/check.h"
#include "system/replace_file.h"

namespace tracebed {
namespace {

nlohmann::ordered_json to_json(const RunChange& change) {
  return {{"number", change.number},
          {"at", change.at},
          {"trace_microseconds", to_microseconds(change.trace_at)},
          {"was_taken", change.was_taken},
          {"text", change.text}};
}

RunChange change_of(const nlohmann::json& json) {
  RunChange change;
  change.number = json.at("number").get<std::int64_t>();
  change.at = json.at("at").get<std::int64_t>();
  change.trace_at = TraceTime(Duration(json.at("trace_microseconds").get<std::int64_t>()));
  change.was_taken = json.at("was_taken").get<bool>();
  change.text = json.at("text").get<std::string>();
  return change;
}

}  // namespace

std::int64_t seconds_since_1970() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::seconds>(now).count();
}

void forget_details(RunEntry& entry) {
  entry.changes = {};
  entry.warnings = {};
}

void log_state(const RunEntry& entry) {
  const std::string who = fmt::format("run {} ({})", entry.id, entry.name);
  const std::int64_t took = entry.started_at == 0 ? 0 : entry.ended_at - entry.started_at;
  const std::optional<RunOutcome> outcome = entry.state.outcome();
  if (!outcome) {
    return spdlog::info("{} {}", who, entry.state == RunState::waiting ? "is submitted" : "begins");
  }
  switch (*outcome) {
    case RunOutcome::complete:
      return spdlog::info("{} finished after {} s", who, took);
    case RunOutcome::cancelled:
      return spdlog::info("{} is cancelled after {} s", who, took);
    case RunOutcome::failed:
      return spdlog::error("{} failed after {} s: {}", who, took, entry.message);
    case RunOutcome::unsuccessful:
    case RunOutcome::stalled:
    case RunOutcome::log_ended:
      break;
  }
  TRACEBED_CHECK(false, "a submitted run ends complete, failed or cancelled");
}

std::string clipped(std::string_view text, std::size_t bytes_max) {
  constexpr std::string_view ellipsis = "…";
  if (text.size() <= bytes_max) return std::string(text);
  std::size_t bytes = bytes_max - ellipsis.size();
  const auto continues_a_character = [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
  };
  while (bytes > 0 && continues_a_character(text[bytes])) --bytes;
  return std::string(text.substr(0, bytes)).append(ellipsis);
}

void save_entry(const RunEntry& entry) {
  nlohmann::ordered_json json{
      {"run", entry.id},
      {"name", entry.name},
      {"state", name(entry.state)},
      {"message", entry.message},
      {"exit_code", to_int(entry.exit_code)},
      {"submitted_at", entry.submitted_at},
      {"started_at", entry.started_at},
      {"ended_at", entry.ended_at},
      {"warnings", entry.warnings},
      {"changes", nlohmann::ordered_json::array()},
  };
  for (const RunChange& change : entry.changes) json["changes"].push_back(to_json(change));
  // A message may quote bytes of the experiment that are no UTF-8.
  replace_file(entry.folder / run_state_file,
               json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + '\n',
               Durability::synced);
}

std::optional<RunEntry> load_entry(const std::filesystem::path& folder) {
  std::ifstream stream(folder / run_state_file);
  if (!stream) return std::nullopt;
  try {
    const nlohmann::json json = nlohmann::json::parse(stream);
    const auto state = run_state_of(json.at("state").get<std::string>());
    if (!state) return std::nullopt;
    RunEntry entry;
    entry.id = json.at("run").get<std::int64_t>();
    entry.name = json.at("name").get<std::string>();
    entry.state = *state;
    entry.message = json.at("message").get<std::string>();
    entry.folder = folder;
    entry.submitted_at = json.at("submitted_at").get<std::int64_t>();
    entry.started_at = json.at("started_at").get<std::int64_t>();
    entry.ended_at = json.at("ended_at").get<std::int64_t>();
    // Not in folders of earlier versions.
    entry.exit_code = static_cast<ExitCode>(json.value("exit_code", 0));
    if (json.contains("warnings")) {
      entry.warnings = json.at("warnings").get<std::vector<std::string>>();
    }
    if (json.contains("changes")) {
      for (const auto& change : json.at("changes")) entry.changes.push_back(change_of(change));
    }
    if (!entry.changes.empty()) entry.changes_made = entry.changes.back().number;
    return entry;
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;  // not one of ours, or cut short by a full disk
  }
}

}  // namespace tracebed
