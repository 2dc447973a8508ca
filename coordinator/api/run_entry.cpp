#include "coordinator/api/run_entry.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/input_error.h"

namespace tracebed {
namespace {

constexpr std::array<std::string_view, 5> state_names{"waiting", "running", "finished", "failed",
                                                      "cancelled"};
constexpr const char* state_file = "state.json";

}  // namespace

std::string_view name(RunState state) {
  return state_names[static_cast<std::size_t>(state)];
}

void save_entry(const RunEntry& entry) {
  const nlohmann::ordered_json json{
      {"run", entry.id},
      {"name", entry.name},
      {"state", name(entry.state)},
      {"message", entry.message},
      {"submitted_at", entry.submitted_at},
      {"started_at", entry.started_at},
      {"ended_at", entry.ended_at},
  };
  const std::filesystem::path file = entry.folder / state_file;
  const std::filesystem::path fresh = entry.folder / (std::string(state_file) + ".new");
  std::ofstream stream(fresh);
  // A message may quote bytes of the experiment that are no UTF-8.
  stream << json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) << '\n';
  stream.close();
  std::error_code error;
  if (stream) std::filesystem::rename(fresh, file, error);
  if (!stream || error) {
    throw EnvironmentError(fmt::format("{} cannot be written", file.string()));
  }
}

std::optional<RunEntry> load_entry(const std::filesystem::path& folder) {
  std::ifstream stream(folder / state_file);
  if (!stream) return std::nullopt;
  try {
    const nlohmann::json json = nlohmann::json::parse(stream);
    const auto state =
        std::find(state_names.begin(), state_names.end(), json.at("state").get<std::string>());
    if (state == state_names.end()) return std::nullopt;
    RunEntry entry;
    entry.id = json.at("run").get<std::int64_t>();
    entry.name = json.at("name").get<std::string>();
    entry.state = static_cast<RunState>(state - state_names.begin());
    entry.message = json.at("message").get<std::string>();
    entry.folder = folder;
    entry.submitted_at = json.at("submitted_at").get<std::int64_t>();
    entry.started_at = json.at("started_at").get<std::int64_t>();
    entry.ended_at = json.at("ended_at").get<std::int64_t>();
    return entry;
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;  // not one of ours, or cut short by a full disk
  }
}

}  // namespace tracebed
