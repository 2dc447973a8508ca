#include "traces/histories/import_histories.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <tuple>

#include "core/input_error.h"
#include "system/output_file.h"
#include "traces/histories/rumen_document.h"
#include "traces/parts/trace_writer.h"

namespace tracebed {
namespace {

std::vector<std::string> history_files(const std::string& path) {
  if (!std::filesystem::is_directory(path)) return {path};
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(path)) {
    const std::string name = entry.path().filename().string();
    const bool is_history = name.ends_with(".jhist") || name.ends_with(".jhist.gz");
    if (is_history && entry.is_regular_file()) files.push_back(entry.path().string());
  }
  if (files.empty()) {
    throw InputError(fmt::format("{}: expected history files (*.jhist), got none", path));
  }
  std::sort(files.begin(), files.end());
  return files;
}

struct KnownJob {
  std::int64_t submit = 0;
  std::string id;
  std::string file;

  bool operator<(const KnownJob& other) const {
    return std::tie(submit, id) < std::tie(other.submit, other.id);
  }
};

// What the first reading finds out of all files together.
class Survey {
 public:
  explicit Survey(HistoriesResult& result) : result_(result) {}

  void add(const std::string& file) {
    const Result<JobHistory> history = read_job_history(file);
    if (!history) {
      result_.bad_files.push_back(history.error().message);
      return;
    }
    const Result<JobConfiguration> configuration = read_job_configuration(file, history->id);
    if (!configuration) {
      result_.bad_files.push_back(configuration.error().message);
      return;
    }
    const auto [known, is_new] = files_.try_emplace(history->id, file);
    if (!is_new) {
      result_.bad_files.push_back(
          fmt::format("{}: expected another job, got {}, which is in {} too", file, history->id,
                      known->second));
      return;
    }
    jobs_.push_back({history->submit, history->id, file});
    ++result_.files;
    if (!configuration->empty()) ++result_.configured;
    const auto slow_start = configuration->find(slow_start_property);
    if (slow_start != configuration->end()) ++result_.slow_starts[slow_start->second];
    for (const auto& [id, task] : history->tasks) add(task);
  }

  // In the order of submit times.
  const std::vector<KnownJob>& sorted_jobs() {
    std::sort(jobs_.begin(), jobs_.end());
    return jobs_;
  }

  // Host → rack, of all that were seen.
  const RackOfHost& racks() {
    for (auto& [host, rack] : racks_) {
      if (!rack.empty()) continue;
      rack = "default-rack";
      ++result_.hosts_without_rack;
    }
    result_.hosts = racks_.size();
    result_.racks = by_rack(racks_).size();
    return racks_;
  }

 private:
  void add(const HistoryTask& task) {
    auto& count = task.type == "MAP"      ? result_.maps
                  : task.type == "REDUCE" ? result_.reduces
                                          : result_.other_tasks;
    ++count;
    result_.attempts += task.attempts.size();
    for (const std::string& host : task.split_hosts) racks_.try_emplace(host);
    for (const auto& [id, attempt] : task.attempts) {
      if (attempt.host.empty()) continue;
      std::string& rack = racks_[attempt.host];
      if (rack.empty()) rack = attempt.rack;
    }
  }

  HistoriesResult& result_;
  std::vector<KnownJob> jobs_;
  std::map<std::string, std::string> files_;  // job → file
  RackOfHost racks_;
};

}  // namespace

HistoriesResult import_histories(const std::string& path, const std::string& output,
                                 const HistoriesOptions& options) {
  HistoriesResult result;
  Survey survey(result);
  std::vector<std::string> files = history_files(path);
  for (const std::string& file : files) survey.add(file);
  if (!result.bad_files.empty() && (!options.skip_bad || result.files == 0)) return result;
  const RackOfHost& racks = survey.racks();
  for (const KnownJob& job : survey.sorted_jobs()) {
    files.push_back(configuration_beside(job.file, job.id).string());
  }
  expect_other_file(output, files);
  if (!options.topology.empty()) {
    files.push_back(output);
    expect_other_file(options.topology, files);
    if (options.topology == output) {
      throw InputError(fmt::format("{}: expected two files, for jobs and for hosts", output));
    }
  }
  TraceWriter writer(output);
  for (const KnownJob& job : survey.sorted_jobs()) {
    const Result<JobHistory> history = read_job_history(job.file);
    if (!history) throw InputError(history.error().message + " (it was whole a moment ago)");
    const Result<JobConfiguration> configuration = read_job_configuration(job.file, job.id);
    if (!configuration) {
      throw InputError(configuration.error().message + " (it was whole a moment ago)");
    }
    writer.write(rumen_document(*history, *configuration, racks));
  }
  writer.finish();
  if (!options.topology.empty()) {
    TraceWriter topology(options.topology);
    topology.write(rumen_topology(racks));
    topology.finish();
  }
  result.is_written = true;
  return result;
}

}  // namespace tracebed
