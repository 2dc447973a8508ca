#include "coordinator/api/run_store.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <fmt/format.h>
#include <fstream>
#include <spdlog/spdlog.h>
#include <sstream>
#include <system_error>

#include "core/input_error.h"
#include "system/disk_room.h"
#include "system/replace_file.h"

namespace tracebed {
namespace {

constexpr const char* experiment_file = "experiment.toml";
constexpr const char* submission_file = "submission.bin";
constexpr const char* aside_suffix = ".incomplete";
constexpr const char* deleted_suffix = ".deleted";
// No folder of that name was made by us, and there is room for others after it.
constexpr std::int64_t id_max = 1'000'000'000'000'000;

// The number that a name begins with, up to its end or a dot: "12", "12.incomplete"; else 0.
std::int64_t leading_id(const std::string& name) {
  std::int64_t id = 0;
  const char* const end = name.data() + name.size();
  const auto parsed = std::from_chars(name.data(), end, id);
  const bool is_word = parsed.ec == std::errc() && (parsed.ptr == end || *parsed.ptr == '.');
  return is_word && id > 0 && id <= id_max ? id : 0;
}

}  // namespace

RunStore::RunStore(std::filesystem::path folder, std::function<bool()> folders_deleted)
    : folder_(std::move(folder)), remover_(std::move(folders_deleted)) {
  std::error_code error;
  std::filesystem::create_directories(folder_, error);
  if (!std::filesystem::is_directory(folder_, error)) {
    throw EnvironmentError(fmt::format("the state folder {} cannot be created", folder_.string()));
  }
  lock_.emplace(folder_);
}

std::vector<RunEntry> RunStore::adopt() {
  std::vector<std::filesystem::path> children;
  std::error_code error;
  for (std::filesystem::directory_iterator at(folder_, error), end; !error && at != end;
       at.increment(error)) {
    children.push_back(at->path());
  }
  if (error) {
    throw EnvironmentError(
        fmt::format("the state folder {} cannot be read: {}", folder_.string(), error.message()));
  }
  std::vector<RunEntry> runs;
  for (const std::filesystem::path& child : children) {
    if (std::optional<RunEntry> run = adopt_one(child)) runs.push_back(*std::move(run));
  }
  std::sort(runs.begin(), runs.end(),
            [](const RunEntry& a, const RunEntry& b) { return a.id < b.id; });
  return runs;
}

std::optional<RunEntry> RunStore::adopt_one(const std::filesystem::path& child) {
  const std::string name = child.filename().string();
  const std::int64_t id = leading_id(name);
  if (id == 0) return std::nullopt;
  next_id_ = std::max(next_id_, id + 1);
  std::error_code ignored;
  if (name == fmt::format("{}{}", id, deleted_suffix)) {
    remover_.remove(child);  // another coordinator ended before it had
    return std::nullopt;
  }
  if (name != std::to_string(id) || !std::filesystem::is_directory(child, ignored)) {
    return std::nullopt;
  }
  std::optional<RunEntry> run = load_entry(child);
  if (run && run->id == id) return run;
  if (run) {
    set_aside(child, fmt::format("its {} belongs to run {}", run_state_file, run->id));
  } else if (std::filesystem::exists(child / run_state_file, ignored)) {
    set_aside(child, fmt::format("its {} is truncated or damaged", run_state_file));
  } else {
    set_aside(child, fmt::format("it has no {}: a coordinator ended while creating the folder",
                                 run_state_file));
  }
  return std::nullopt;
}

void RunStore::set_aside(const std::filesystem::path& child, const std::string& reason) {
  std::filesystem::path aside = child.string() + aside_suffix;
  std::error_code error;
  for (int i = 2; std::filesystem::exists(std::filesystem::symlink_status(aside, error)); ++i) {
    aside = fmt::format("{}{}.{}", child.string(), aside_suffix, i);
  }
  std::filesystem::rename(child, aside, error);
  if (error) {
    spdlog::error("{} is not the folder of a run ({}), and cannot be renamed: {}; it is ignored",
                  child.string(), reason, error.message());
  } else {
    spdlog::warn("{} is not the folder of a run: {}; it is renamed to {}", child.string(), reason,
                 aside.string());
  }
}

RunEntry RunStore::create(const std::string& name, const std::string& experiment,
                          const std::string& submission) {
  // Runs begin as long as `kept` is free, and make room when they have ended.
  const std::uint64_t kept = kept_free_bytes(folder_);
  if (std::string full = full_disk(folder_, 2 * kept + submission.size()); !full.empty()) {
    throw EnvironmentError(full);
  }
  RunEntry run;
  run.name = name;
  run.submitted_at = seconds_since_1970();
  std::error_code error;
  // Somebody may have put something there meanwhile; their names are not ours to take.
  for (;; ++next_id_) {
    run.id = next_id_;
    run.folder = folder_ / std::to_string(run.id);
    if (std::filesystem::create_directory(run.folder, error)) break;
    if (!error || error == std::errc::file_exists) continue;
    throw EnvironmentError(fmt::format("the run folder {} cannot be created: {}",
                                       run.folder.string(), error.message()));
  }
  try {
    // state.json comes last: with it the folder is a run's.
    replace_file(run.folder / experiment_file, experiment, Durability::synced);
    replace_file(run.folder / submission_file, submission, Durability::synced);
    save_entry(run);
    sync_folder(folder_);
  } catch (const EnvironmentError&) {
    std::filesystem::remove_all(run.folder, error);  // its number is the next one's
    throw;
  }
  ++next_id_;
  return run;
}

std::optional<std::string> RunStore::submission_of(const RunEntry& run) {
  constexpr std::array<std::string_view, 3> before_it_begins{experiment_file, submission_file,
                                                             run_state_file};
  std::error_code error;
  for (std::filesystem::directory_iterator at(run.folder, error), end; !error && at != end;
       at.increment(error)) {
    const std::string name = at->path().filename().string();
    const bool is_draft = name.ends_with(".new");
    const bool is_expected =
        std::find(before_it_begins.begin(), before_it_begins.end(), name) != before_it_begins.end();
    if (!is_draft && !is_expected) return std::nullopt;
  }
  std::ifstream stream(run.folder / submission_file, std::ios::binary);
  if (error || !stream) return std::nullopt;
  std::ostringstream text;
  text << stream.rdbuf();
  return stream.bad() ? std::nullopt : std::optional(std::move(text).str());
}

void RunStore::drop_submission(const RunEntry& run) {
  std::error_code ignored;
  std::filesystem::remove(run.folder / submission_file, ignored);
}

// Renamed first, so that a coordinator killed in the midst of it leaves no folder of half a run.
void RunStore::remove(const RunEntry& run) {
  const std::filesystem::path doomed = run.folder.string() + deleted_suffix;
  std::error_code error;
  std::filesystem::rename(run.folder, doomed, error);
  if (!error) return remover_.remove(doomed);
  if (error == std::errc::no_such_file_or_directory) return;  // somebody else has deleted it
  spdlog::error("the folder of run {}, {}, cannot be deleted: {}", run.id, run.folder.string(),
                error.message());
}

}  // namespace tracebed
