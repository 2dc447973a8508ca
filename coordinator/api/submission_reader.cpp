#include "coordinator/api/submission_reader.h"

#include <algorithm>
#include <ctime>
#include <fmt/format.h>
#include <memory>
#include <thrift/protocol/TBinaryProtocol.h>
#include <thrift/transport/TBufferTransports.h>
#include <unordered_map>
#include <utility>
#include <vector>

#include "coordinator/api/control_server.h"
#include "coordinator/config/choose_schedulers.h"
#include "coordinator/config/load_experiment.h"
#include "coordinator/resolving/hadoop_sites.h"
#include "coordinator/resolving/resolved_experiment.h"
#include "coordinator/resolving/scheduler_files.h"
#include "core/input_error.h"

namespace tracebed {
namespace {

using apache::thrift::protocol::TBinaryProtocol;
using apache::thrift::transport::TMemoryBuffer;

[[noreturn]] void refuse_submission(const std::string& message) {
  throw InputError(message);
}

void check_size(const control::Submission& submission) {
  constexpr std::size_t overrides_max = 200;
  constexpr std::size_t key_bytes_max = 200;  // each dot of which makes a table
  std::size_t bytes = submission.experiment.size() + submission.file.size();
  for (const control::Override& given : submission.overrides) {
    bytes += given.key.size() + given.value.size();
    if (given.key.size() <= key_bytes_max) continue;
    refuse_submission(
        fmt::format("expected keys of at most {} bytes, got {}", key_bytes_max, given.key.size()));
  }
  if (submission.overrides.size() > overrides_max) {
    refuse_submission(fmt::format("expected at most {} overrides, got {}", overrides_max,
                                  submission.overrides.size()));
  }
  constexpr std::size_t files_max = 100;
  if (submission.files.size() > files_max) {
    refuse_submission(
        fmt::format("expected at most {} files, got {}", files_max, submission.files.size()));
  }
  for (const std::string& scheduler : submission.schedulers) bytes += scheduler.size();
  for (const control::NamedFile& file : submission.files) {
    bytes += file.name.size() + file.content.size();
  }
  if (bytes <= submission_bytes_max) return;
  refuse_submission(
      fmt::format("expected an experiment and files of at most {} bytes together, got {}",
                  submission_bytes_max, bytes));
}

// Puts the contents of submitted files into the settings that name them, which are taken as the
// files would be.
class SubmittedContents {
 public:
  // Both outlive it.
  SubmittedContents(const SchedulerRegistry& schedulers, Experiment& experiment)
      : schedulers_(schedulers), experiment_(experiment) {
    for (const SchedulerChoice& choice : experiment.schedulers) names_[choice.label] = choice.name;
  }

  void give(const control::NamedFile& file) {
    if (file.content.find('<') == std::string::npos) {
      refuse_submission(file.name + ": expected XML");
    }
    give_where(file, experiment_.masters,
               [](const auto& key) { return key == mapred_site_setting; });
    give_where(file, experiment_.node_manager,
               [](const auto& key) { return key == node_manager_site_setting; });
    for (SchedulerChoice& choice : experiment_.schedulers) {
      give_scheduler(file, choice.name, choice.settings);
    }
    for (RefreshChoice& refresh : experiment_.refreshes) {
      const auto name = names_.find(refresh.scheduler);
      if (name != names_.end()) give_scheduler(file, name->second, refresh.settings);
    }
  }

 private:
  template <class IsFile>
  void give_where(const control::NamedFile& file, std::vector<Setting>& settings,
                  const IsFile& is_file) {
    for (Setting& setting : settings) {
      if (setting.value != file.name || !is_file(setting.key)) continue;
      bytes_ += file.content.size();
      if (bytes_ > scheduler_files_bytes_max) {
        refuse_submission(
            fmt::format("{}: expected files of at most {} MiB in all, each counted as "
                        "often as a setting names it, got more with {}",
                        setting.where, scheduler_files_bytes_max >> 20, file.name));
      }
      setting.value = file.content;
    }
  }
  void give_scheduler(const control::NamedFile& file, const std::string& scheduler,
                      std::vector<Setting>& settings) {
    give_where(file, settings,
               [&](const auto& key) { return is_xml_setting(schedulers_, scheduler, key); });
  }

  const SchedulerRegistry& schedulers_;
  Experiment& experiment_;
  std::unordered_map<std::string, std::string> names_;  // of schedulers, by their labels
  std::size_t bytes_ = 0;                               // of all that was put into settings
};

// What messages call the text: as its user does, if that is a name and not a text of its own.
std::string name_in_messages(const std::string& file) {
  constexpr std::size_t bytes_max = 255;
  const bool is_name = !file.empty() && file.size() <= bytes_max &&
                       std::all_of(file.begin(), file.end(), [](unsigned char c) {
                         constexpr unsigned char rubout = 127;
                         return c >= ' ' && c != rubout;
                       });
  return is_name ? file : "experiment";
}

}  // namespace

void check_submission(const SchedulerRegistry& schedulers, const Experiment& experiment,
                      std::chrono::nanoseconds cpu_time_max) {
  const auto cpu_time = [] {
    timespec time{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
  };
  const std::chrono::nanoseconds begin = cpu_time();
  (void)resolve(schedulers, experiment, [&](const SchedulerChoice& scheduler) {
    if (cpu_time() - begin <= cpu_time_max) return;
    throw InputError(fmt::format(
        "{}: expected an experiment whose schedulers and refreshes are made within {} s of CPU "
        "time, got more before this one: submit fewer at once, or smaller files",
        scheduler.where, std::chrono::duration<double>(cpu_time_max).count()));
  });
}

Experiment SubmissionReader::read(const control::Submission& submission) const {
  check_size(submission);
  if (!rules_.traces) {
    refuse_submission("this coordinator was started without --traces, so it cannot read traces");
  }
  std::vector<Override> overrides;
  for (const control::Override& given : submission.overrides) {
    overrides.push_back({"--set " + given.key, given.key, given.value});
  }
  if (!submission.name.empty()) {
    overrides.push_back({"the submitted name", "name", '"' + submission.name + '"'});
  }
  const TraceFolders folders{*rules_.traces, rules_.traces, true};
  Experiment experiment = parse_experiment(submission.experiment, name_in_messages(submission.file),
                                           folders, overrides);
  // What names a place outside the run is the coordinator's to decide, not a client's.
  if (!experiment.output.empty()) {
    refuse_submission("output.folder: not allowed in a submitted experiment");
  }
  if (!experiment.log.redis.empty()) {
    refuse_submission("log.redis: not allowed in a submitted experiment");
  }
  if (experiment.world == World::local && !rules_.allow_local_runs) {
    refuse_submission(
        "world: \"local\" runs on the coordinator's own host need allow_local_runs in its "
        "configuration; expected \"virtual\" or \"cluster\"");
  }
  choose_schedulers(submission.schedulers, experiment);
  SubmittedContents contents(schedulers_, experiment);
  for (const control::NamedFile& file : submission.files) contents.give(file);
  rules_.check(experiment);
  return experiment;
}

Experiment SubmissionReader::read_kept(const std::string& text) const {
  control::Submission submission;
  try {
    // The protocol takes bytes that it may write to, and only reads them.
    std::string bytes = text;
    const auto buffer = std::make_shared<TMemoryBuffer>(
        reinterpret_cast<std::uint8_t*>(bytes.data()), static_cast<std::uint32_t>(bytes.size()));
    TBinaryProtocol protocol(buffer, control_frame_bytes_max, control_frame_bytes_max, true, true);
    submission.read(&protocol);
  } catch (const apache::thrift::TException& error) {
    throw InputError(fmt::format("the submission cannot be read back: {}", error.what()));
  }
  return read(submission);
}

std::string kept_text(const control::Submission& submission) {
  const auto buffer = std::make_shared<TMemoryBuffer>();
  TBinaryProtocol protocol(buffer);
  submission.write(&protocol);
  return buffer->getBufferAsString();
}

}  // namespace tracebed
