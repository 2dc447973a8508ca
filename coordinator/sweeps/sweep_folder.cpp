#include "coordinator/sweeps/sweep_folder.h"

#include <cerrno>
#include <cstdio>
#include <fmt/format.h>
#include <system_error>
#include <unistd.h>

#include "core/input_error.h"
#include "report/file_list.h"
#include "report/json_fields.h"
#include "system/own_machine.h"
#include "system/regular_file.h"
#include "system/replace_file.h"

namespace tracebed {
namespace {

constexpr std::uint32_t plan_version = 1;
constexpr std::uint32_t point_version = 1;
constexpr std::size_t record_bytes_max = std::size_t{1} << 28;
constexpr std::size_t digits_of_names = 16;
constexpr const char* point_record = "point.json";
constexpr const char* failure_record = "failure.json";

Json to_json(const SweepPlan& plan) {
  Json root{{"format", "tracebed-sweep"}, {"version", plan_version}, {"experiment", plan.name},
            {"figure", plan.figure},      {"digest", plan.digest},   {"keys", Json::array()},
            {"points", Json::array()}};
  for (const SweptKey& key : plan.keys) {
    root["keys"].push_back({{"key", key.key}, {"values", key.values}});
  }
  for (const SweepPoint& point : plan.points) {
    Json values = Json::array();
    for (const std::optional<std::size_t>& value : point.values) {
      values.push_back(value ? Json(*value) : Json());
    }
    root["points"].push_back(
        {{"number", point.number}, {"values", std::move(values)}, {"digest", point.digest}});
  }
  return root;
}

// A record of ours: its document, if its checksum is right and its version is this program's.
Json read_record(const std::filesystem::path& file, std::uint32_t version) {
  const std::string text = read_regular_file(file, record_bytes_max);
  check_own_checksum(file, text);
  Json root = parse_json_file(file, text);
  check_format_version(file, root.value("version", std::uint32_t{0}), version);
  return root;
}

[[noreturn]] void fail_malformed(const std::filesystem::path& file, const std::string& why) {
  throw InputError(fmt::format("{}: malformed: {}", file.string(), why));
}

// What the first difference is, for people.
std::string difference_of(const RecordedPlan& there, const SweepPlan& here) {
  const auto text = [](const std::vector<SweptKey>& keys) {
    std::string all;
    for (const SweptKey& key : keys) {
      all += fmt::format("{} = [{}]; ", key.key, fmt::join(key.values, ", "));
    }
    return all.substr(0, all.size() - 2);
  };
  if (text(there.keys) != text(here.keys)) {
    return fmt::format("expected {}, got {}", text(there.keys), text(here.keys));
  }
  if (there.points.size() != here.points.size()) {
    return fmt::format("expected {} points, got {}", there.points.size(), here.points.size());
  }
  for (std::size_t i = 0; i < here.points.size(); ++i) {
    if (there.points[i].digest == here.points[i].digest) continue;
    return fmt::format(
        "point {} ({}) has other inputs: the experiment, a file that it names or this program has "
        "changed",
        here.points[i].number, values_text(here.keys, here.points[i].values));
  }
  return "the experiment has another name or figure";
}

std::uint64_t bytes_below(const std::filesystem::path& folder) {
  std::uint64_t bytes = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) bytes += entry.file_size();
  }
  return bytes;
}

// Both paths are in one folder. False if there is such a file already.
bool publish(const std::filesystem::path& draft, const std::filesystem::path& file) {
  const int result = ::link(draft.c_str(), file.c_str());
  const int error = errno;
  ::unlink(draft.c_str());
  if (result == 0) return true;
  if (error == EEXIST) return false;
  throw EnvironmentError(fmt::format("{} cannot be made: {}", file.string(), error_text(error)));
}

}  // namespace

void SweepFolder::adopt(const SweepPlan& plan, bool replaces) const {
  std::error_code error;
  for (const char* part : {"points", "traces", "work"}) {
    std::filesystem::create_directories(path_ / part, error);
    if (error) {
      throw EnvironmentError(
          fmt::format("{} cannot be made: {}", (path_ / part).string(), error.message()));
    }
  }
  const std::string text = with_own_checksum(to_json(plan));
  // Of processes that begin at once, one makes the plan, and the others compare theirs.
  const std::filesystem::path draft =
      path_ / fmt::format("sweep.json.{}-{}", host_name(), ::getpid());
  if (!replaces || !std::filesystem::exists(plan_file())) {
    replace_file(draft, text, Durability::synced);
    if (publish(draft, plan_file())) {
      return replace_file(path_ / "sweep.toml", plan.text);
    }
    if (read_regular_file(plan_file(), record_bytes_max) == text) return;
  }
  if (!replaces) {
    throw InputError(fmt::format(
        "{} holds the sweep of another plan: {}; give another --output, or --replace-plan to go "
        "on with this one",
        path_.string(), difference_of(this->plan(), plan)));
  }
  replace_file(plan_file(), text, Durability::synced);
  replace_file(path_ / "sweep.toml", plan.text);
}

RecordedPlan SweepFolder::plan() const {
  const std::filesystem::path file = plan_file();
  if (!std::filesystem::exists(file)) {
    throw InputError(
        fmt::format("{}: expected the folder of a sweep (with sweep.json)", path_.string()));
  }
  const Json root = read_record(file, plan_version);
  RecordedPlan plan;
  try {
    root.at("experiment").get_to(plan.name);
    root.at("figure").get_to(plan.figure);
    root.at("digest").get_to(plan.digest);
    for (const Json& key : root.at("keys")) {
      plan.keys.push_back({key.at("key"), 1, key.at("values")});
    }
    for (const Json& entry : root.at("points")) {
      RecordedPlan::Point& point = plan.points.emplace_back();
      entry.at("number").get_to(point.number);
      entry.at("digest").get_to(point.digest);
      for (const Json& value : entry.at("values")) {
        point.values.push_back(value.is_null() ? std::nullopt : std::optional<std::size_t>(value));
      }
      if (point.values.size() != plan.keys.size()) fail_malformed(file, "values without a key");
      for (std::size_t k = 0; k < plan.keys.size(); ++k) {
        if (point.values[k].value_or(0) >= plan.keys[k].values.size()) {
          fail_malformed(file, "a point with a value that its key does not have");
        }
      }
    }
  } catch (const nlohmann::json::exception& error) {
    fail_malformed(file, error.what());
  }
  return plan;
}

std::filesystem::path SweepFolder::point(const std::string& digest) const {
  return path_ / "points" / digest.substr(0, digits_of_names);
}

std::filesystem::path SweepFolder::work(const std::string& digest) const {
  return path_ / "work" / digest.substr(0, digits_of_names);
}

std::optional<FinishedPoint> SweepFolder::finished(const std::string& digest) const {
  const std::filesystem::path file = point(digest) / point_record;
  if (!std::filesystem::exists(file)) return std::nullopt;
  const Json root = read_record(file, point_version);
  FinishedPoint finished;
  try {
    root.at("digest").get_to(finished.digest);
    root.at("seconds").get_to(finished.seconds);
    root.at("bytes").get_to(finished.bytes);
  } catch (const nlohmann::json::exception& error) {
    fail_malformed(file, error.what());
  }
  if (finished.digest != digest) {
    throw InputError(fmt::format("{}: expected the point with the digest {}, got {}", file.string(),
                                 digest, finished.digest));
  }
  return finished;
}

std::string SweepFolder::failure(const std::string& digest) const {
  const std::filesystem::path file = work(digest) / failure_record;
  if (!std::filesystem::exists(file)) return {};
  return read_record(file, point_version).value("reason", std::string("unknown"));
}

bool SweepFolder::was_begun(const std::string& digest) const {
  return std::filesystem::exists(work(digest)) &&
         !std::filesystem::exists(work(digest) / failure_record);
}

void SweepFolder::note_failure(const std::string& digest, const std::string& reason) const {
  replace_file(work(digest) / failure_record,
               with_own_checksum(Json{{"format", "tracebed-sweep-failure"},
                                      {"version", point_version},
                                      {"digest", digest},
                                      {"reason", reason}}));
}

void SweepFolder::move_into_place(const SweepPoint& point, double seconds) const {
  const std::filesystem::path made = work(point.digest) / "out";
  const std::filesystem::path place = this->point(point.digest);
  std::filesystem::rename(work(point.digest) / "experiment.toml", made / "experiment.toml");
  std::filesystem::rename(work(point.digest) / "log.txt", made / "log.txt");
  replace_file(made / point_record,
               with_own_checksum(Json{{"format", "tracebed-sweep-point"},
                                      {"version", point_version},
                                      {"digest", point.digest},
                                      {"seconds", seconds},
                                      {"bytes", bytes_below(made)}}),
               Durability::synced);
  if (::rename(made.c_str(), place.c_str()) == 0) return sync_folder(place.parent_path());
  if (errno == EEXIST || errno == ENOTEMPTY) return;  // another's, of the same inputs
  throw EnvironmentError(fmt::format("{} cannot be moved to {}: {}", made.string(), place.string(),
                                     error_text(errno)));
}

}  // namespace tracebed
