#include "coordinator/sweeps/sweep_plan.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>
#include <utility>

#include "coordinator/config/load_experiment.h"
#include "coordinator/resolving/resolved_experiment.h"
#include "coordinator/sweeps/point_document.h"
#include "core/check.h"
#include "core/input_error.h"
#include "report/file_checksum.h"
#include "report/file_digest.h"
#include "system/toml_value.h"
#include "traces/binary/binary_file.h"

namespace tracebed {
namespace {

using PointValues = std::vector<std::optional<std::size_t>>;

// Contents of files, each read once for all points.
class FileDigests {
 public:
  const std::string& of(const std::filesystem::path& path) {
    auto found = digests_.find(path);
    if (found == digests_.end()) found = digests_.emplace(path, identify_file(path).digest).first;
    return found->second;
  }

 private:
  std::map<std::filesystem::path, std::string> digests_;
};

class SweepPlanner {
 public:
  SweepPlanner(const SweepRequest& request, const SchedulerRegistry& schedulers)
      : request_(request),
        schedulers_(schedulers),
        folders_{request.file.parent_path(), request.traces, false} {}

  SweepPlan plan() {
    plan_.file = request_.file;
    plan_.text = read_experiment_text(request_.file);
    label_ = request_.file.string();
    const toml::table root = parse_document(plan_.text, label_);
    const toml::node* const sweep = root.get("sweep");
    if (sweep == nullptr) fail_missing_key(root, "", "sweep");
    for (SweepDimension& dimension : read_sweep(TomlValue(*sweep, "sweep"))) {
      sizes_.push_back(dimension.size());
      for (SweptKey& key : dimension.keys) {
        dimension_of_key_.push_back(sizes_.size() - 1);
        plan_.keys.push_back(std::move(key));
      }
    }
    check_size();
    program_ = identify_file(std::filesystem::canonical("/proc/self/exe")).digest;
    add_points();
    check_use();
    ChecksumBuilder whole;
    for (const SweepPoint& point : plan_.points) whole.add(point.digest);
    plan_.digest = whole.checksum().sha256;
    return std::move(plan_);
  }

 private:
  void check_size() const {
    std::uint64_t points = 1;
    for (const std::size_t size : sizes_) {
      if (points > request_.points_max / size) {
        throw InputError(
            fmt::format("{}: sweep: expected at most {} points (--limit), got {} combinations",
                        label_, request_.points_max, combinations_text()));
      }
      points *= size;
    }
  }
  std::string combinations_text() const { return fmt::format("{}", fmt::join(sizes_, " × ")); }

  void add_points() {
    std::vector<std::size_t> at(sizes_.size(), 0);
    std::set<PointValues> unique;
    for (bool is_more = true; is_more; is_more = advance(at)) {
      const PointValues values = values_at(at);
      if (unique.insert(values).second) plan_.points.push_back(point_of(values));
    }
  }

  void check_use() const {
    for (std::size_t k = 0; k < plan_.keys.size(); ++k) {
      const bool is_used = std::any_of(plan_.points.begin(), plan_.points.end(),
                                       [&](const SweepPoint& point) { return point.values[k]; });
      if (is_used) continue;
      throw InputError(
          fmt::format("{}:{}: {}: expected a setting of a scheduler that `sweep.schedulers` runs",
                      label_, plan_.keys[k].line, plan_.keys[k].key));
    }
  }

  // The last dimension first.
  bool advance(std::vector<std::size_t>& at) const {
    for (std::size_t i = at.size(); i-- > 0;) {
      if (++at[i] < sizes_[i]) return true;
      at[i] = 0;
    }
    return false;
  }

  // A setting of a scheduler is no value of points that run another one, which would all be alike.
  PointValues values_at(const std::vector<std::size_t>& at) const {
    PointValues values;
    std::string alone;
    for (std::size_t k = 0; k < plan_.keys.size(); ++k) {
      const SweptKey& key = plan_.keys[k];
      values.emplace_back(at[dimension_of_key_[k]]);
      if (key.key == scheduler_choice_key) alone = shown_value(key.values[*values.back()]);
    }
    if (alone.empty()) return values;
    const std::string own = fmt::format("scheduler.{}.", alone);
    for (std::size_t k = 0; k < plan_.keys.size(); ++k) {
      const std::string& key = plan_.keys[k].key;
      if (key.starts_with("scheduler.") && !key.starts_with(own)) values[k].reset();
    }
    return values;
  }

  SweepPoint point_of(const PointValues& values) {
    SweepPoint point;
    point.number = static_cast<std::uint32_t>(plan_.points.size() + 1);
    point.values = values;
    try {
      complete(point);
    } catch (const InputError& error) {
      throw InputError(fmt::format("{} (point {}: {})", error.what(), point.number,
                                   values_text(plan_.keys, values)));
    }
    return point;
  }

  toml::table document_of(const SweepPoint& point) const {
    toml::table root = parse_document(plan_.text, label_);
    root.erase("sweep");
    const auto visit = [&](auto take) {
      for (std::size_t k = 0; k < plan_.keys.size(); ++k) {
        if (point.values[k]) take(plan_.keys[k], plan_.keys[k].values[*point.values[k]]);
      }
    };
    visit([&](const SweptKey& key, const std::string& value) {
      if (key.key == scheduler_choice_key) choose_scheduler(shown_value(value), root);
    });
    visit([&](const SweptKey& key, const std::string& value) {
      if (key.key != scheduler_choice_key) {
        apply_override({label_, key.key, value, key.line}, root);
      }
    });
    // What `sweep collect` reads is in other files.
    if (!root.contains("output")) root.insert("output", toml::table());
    if (toml::table* const output = root["output"].as_table()) {
      output->insert("tasks", std::string(task_rows_names[static_cast<int>(TaskRows::none)]));
    }
    return root;
  }

  void complete(SweepPoint& point) {
    toml::table root = document_of(point);
    const Experiment experiment = read_document(root, plan_.text, label_, folders_);
    check_is_swept(root, experiment);
    const ResolvedExperiment resolved = resolve(schedulers_, experiment);
    plan_.name = experiment.name;
    plan_.figure = experiment.compare.primary;
    const std::vector<std::filesystem::path> files = place_files(schedulers_, folders_, root);
    point.document = document_text(root);
    TRACEBED_CHECK(parse_toml(point.document, label_) == root, "documents are written as read");
    ChecksumBuilder inputs;
    // Files may be anywhere: they are known by their contents alone.
    inputs.add(program_ + document_text(document_of(point)));
    for (const std::filesystem::path& file : files) inputs.add(digests_.of(file));
    for (const ScheduledConfigurations& scheduled : resolved.schedulers) {
      add_files(scheduled.scheduler, inputs);
      for (const auto& [at, refreshed] : scheduled.refreshes) add_files(refreshed, inputs);
    }
    point.digest = inputs.checksum().sha256;
    point.trace = trace_of(resolved);
  }

  // With those that they name themselves.
  static void add_files(const ResolvedScheduler& scheduler, ChecksumBuilder& inputs) {
    for (const auto& [key, file] : scheduler.files) inputs.add(key + file.text);
  }

  static void check_is_swept(const toml::table& root, const Experiment& experiment) {
    if (experiment.world != World::simulated) {
      TomlValue(*root.get("world"), "world").fail_expected("\"virtual\" for a sweep");
    }
    if (const toml::node* const folder = root.at_path("output.folder").node()) {
      TomlValue(*folder, "output.folder")
          .fail("expected no such key: --output is a sweep's folder");
    }
    if (!root.contains("trace")) fail_missing_key(root, "", "trace");
  }

  std::optional<std::size_t> trace_of(const ResolvedExperiment& experiment) {
    const std::filesystem::path file =
        std::filesystem::absolute(experiment.trace.file).lexically_normal();
    // A machine file's times count from the trace's own origin, which the binary form does not
    // have.
    if (!experiment.cluster.machine_file.file.empty()) return std::nullopt;
    if (std::filesystem::is_regular_file(file) && is_binary_trace_file(file.string())) {
      return std::nullopt;
    }
    const TraceOptions& options = experiment.trace_options;
    ChecksumBuilder id;
    id.add(fmt::format("{} {} {}", digests_.of(file), options.format, options.skip_bad));
    for (const auto& [rule, value] : rule_values(options.rules)) {
      id.add(fmt::format("\n{}={}", rule, value));
    }
    const std::string text = id.checksum().sha256;
    const auto known = std::find_if(plan_.traces.begin(), plan_.traces.end(),
                                    [&](const SweptTrace& trace) { return trace.id == text; });
    if (known != plan_.traces.end()) {
      return static_cast<std::size_t>(known - plan_.traces.begin());
    }
    plan_.traces.push_back({text, file, options});
    return plan_.traces.size() - 1;
  }

  const SweepRequest& request_;
  const SchedulerRegistry& schedulers_;
  const TraceFolders folders_;
  SweepPlan plan_;
  std::string label_;
  std::vector<std::size_t> sizes_;             // of the dimensions
  std::vector<std::size_t> dimension_of_key_;  // by key of the plan
  std::string program_;
  FileDigests digests_;
};

}  // namespace

SweepPlan plan_sweep(const SweepRequest& request, const SchedulerRegistry& schedulers) {
  return SweepPlanner(request, schedulers).plan();
}

std::string shown_value(const std::string& toml) {
  const bool is_quoted = toml.size() >= 2 && (toml.front() == '"' || toml.front() == '\'') &&
                         toml.back() == toml.front();
  return is_quoted ? toml.substr(1, toml.size() - 2) : toml;
}

std::string values_text(const std::vector<SweptKey>& keys,
                        const std::vector<std::optional<std::size_t>>& values) {
  std::string text;
  for (std::size_t k = 0; k < keys.size(); ++k) {
    if (!values[k]) continue;
    if (!text.empty()) text += ", ";
    text += fmt::format("{}={}", keys[k].key, shown_value(keys[k].values[*values[k]]));
  }
  return text;
}

}  // namespace tracebed
