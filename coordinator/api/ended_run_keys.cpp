#include "coordinator/api/ended_run_keys.h"

#include <fmt/format.h>
#include <fstream>
#include <set>
#include <spdlog/spdlog.h>

#include "coordinator/real/redis_runs.h"
#include "core/input_error.h"
#include "system/drawn_number.h"
#include "system/replace_file.h"

namespace tracebed {

std::string state_owner(const std::filesystem::path& state) {
  constexpr std::size_t digits = 16;
  const std::filesystem::path file = state / "owner";
  std::error_code error;
  std::filesystem::create_directories(state, error);
  if (!std::filesystem::exists(file, error)) {
    if (error) throw EnvironmentError(fmt::format("{}: {}", file.string(), error.message()));
    replace_file(file, fmt::format("{:0{}x}\n", drawn_number(), digits), Durability::synced);
  }
  std::ifstream stream(file);
  std::string owner;
  std::getline(stream, owner);
  if (owner.size() != digits || owner.find_first_not_of("0123456789abcdef") != std::string::npos) {
    throw EnvironmentError(
        fmt::format("{}: expected {} hexadecimal digits", file.string(), digits));
  }
  return owner;
}

bool remove_keys_of_deleted_runs(const std::string& redis, const RedisLogin& login,
                                 const std::string& owner, const std::filesystem::path& state) {
  try {
    RedisConnection connection(redis, login);
    RedisRuns runs(connection);
    std::set<std::string, std::less<>> deleted;
    for (const auto& [run, entry] : runs.entries()) {
      std::error_code error;
      const bool exists = std::filesystem::exists(state / entry.folder, error);
      if (entry.owner == owner && !exists && !error) deleted.insert(run);
    }
    if (deleted.empty()) return true;
    const std::int64_t keys = runs.remove(deleted);
    spdlog::info("{} keys of {} replays whose folders are deleted are removed from Redis", keys,
                 deleted.size());
    return true;
  } catch (const std::exception& error) {  // of a thread that nobody else looks after
    spdlog::debug("keys of deleted runs are not removed yet: {}", error.what());
    return false;
  }
}

}  // namespace tracebed
