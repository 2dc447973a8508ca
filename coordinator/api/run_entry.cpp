#include "coordinator/api/run_entry.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <nlohmann/json.hpp>

#include "system/replace_file.h"

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
  // A message may quote bytes of the experiment that are no UTF-8.
  replace_file(entry.folder / state_file,
               json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + '\n');
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
