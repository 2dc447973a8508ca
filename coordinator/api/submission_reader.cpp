#include "coordinator/api/submission_reader.h"

#include <algorithm>
#include <fmt/format.h>
#include <memory>
#include <thrift/protocol/TBinaryProtocol.h>
#include <thrift/transport/TBufferTransports.h>

#include "coordinator/api/control_server.h"
#include "coordinator/config/choose_schedulers.h"
#include "coordinator/config/load_experiment.h"
#include "coordinator/resolving/hadoop_sites.h"
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
  for (const std::string& scheduler : submission.schedulers) bytes += scheduler.size();
  for (const control::NamedFile& file : submission.files) {
    bytes += file.name.size() + file.content.size();
  }
  if (bytes <= submission_bytes_max) return;
  refuse_submission(
      fmt::format("expected an experiment and files of at most {} bytes together, got {}",
                  submission_bytes_max, bytes));
}

// Settings that name the file have its content instead, which is taken as the file would be.
void give_file(const SchedulerRegistry& schedulers, const std::string& name,
               const std::string& content, Experiment& experiment) {
  const auto give_where = [&](std::vector<Setting>& settings, const auto& is_file) {
    for (Setting& setting : settings) {
      if (setting.value == name && is_file(setting.key)) setting.value = content;
    }
  };
  const auto give = [&](const std::string& scheduler, std::vector<Setting>& settings) {
    give_where(settings,
               [&](const auto& key) { return is_xml_setting(schedulers, scheduler, key); });
  };
  if (content.find('<') == std::string::npos) refuse_submission(name + ": expected XML");
  give_where(experiment.masters, [](const auto& key) { return key == mapred_site_setting; });
  give_where(experiment.node_manager,
             [](const auto& key) { return key == node_manager_site_setting; });
  for (SchedulerChoice& choice : experiment.schedulers) {
    give(choice.name, choice.settings);
    for (RefreshChoice& refresh : experiment.refreshes) {
      if (refresh.scheduler == choice.label) give(choice.name, refresh.settings);
    }
  }
}

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
    refuse_submission("output: not allowed in a submitted experiment");
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
  for (const control::NamedFile& file : submission.files) {
    give_file(schedulers_, file.name, file.content, experiment);
  }
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
