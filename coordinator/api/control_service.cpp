#include "coordinator/api/control_service.h"

#include <algorithm>
#include <cerrno>
#include <fmt/format.h>
#include <unistd.h>

#include "coordinator/api/control_conversions.h"
#include "coordinator/api/control_server.h"
#include "coordinator/config/choose_schedulers.h"
#include "coordinator/config/load_experiment.h"
#include "coordinator/real/agent_roster.h"
#include "coordinator/real/log_book.h"
#include "coordinator/runner/hadoop_sites.h"
#include "coordinator/runner/scheduler_files.h"
#include "core/input_error.h"
#include "system/files_below.h"

namespace tracebed {
namespace {

[[noreturn]] void refuse(const std::string& message) {
  control::BadExperiment bad;
  bad.message = message;
  throw bad;
}

[[noreturn]] void fail_unknown(std::int64_t run) {
  control::UnknownRun unknown;
  unknown.run = run;
  throw unknown;
}

void check_size(const control::Submission& submission) {
  constexpr std::size_t overrides_max = 200;
  constexpr std::size_t key_bytes_max = 200;  // each dot of which makes a table
  std::size_t bytes = submission.experiment.size();
  for (const control::Override& given : submission.overrides) {
    bytes += given.key.size() + given.value.size();
    if (given.key.size() <= key_bytes_max) continue;
    refuse(
        fmt::format("expected keys of at most {} bytes, got {}", key_bytes_max, given.key.size()));
  }
  if (submission.overrides.size() > overrides_max) {
    refuse(fmt::format("expected at most {} settings beside the experiment, got {}", overrides_max,
                       submission.overrides.size()));
  }
  for (const std::string& scheduler : submission.schedulers) bytes += scheduler.size();
  for (const control::NamedFile& file : submission.files) {
    bytes += file.name.size() + file.content.size();
  }
  if (bytes <= submission_bytes_max) return;
  refuse(fmt::format("expected an experiment and files of at most {} bytes together, got {}",
                     submission_bytes_max, bytes));
}

// Settings that name the file have its content instead, which is taken as the file would be.
void give_file(Experiment& experiment, const std::string& name, const std::string& content) {
  const auto give_where = [&](std::vector<Setting>& settings, const auto& is_file) {
    for (Setting& setting : settings) {
      if (setting.value == name && is_file(setting.key)) setting.value = content;
    }
  };
  const auto give = [&](const std::string& scheduler, std::vector<Setting>& settings) {
    give_where(settings, [&](const auto& key) { return is_xml_setting(scheduler, key); });
  };
  if (content.find('<') == std::string::npos) refuse(name + ": expected XML");
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

}  // namespace

ControlService::ControlService(RunQueue& queue, std::optional<std::filesystem::path> traces,
                               Check check, const AgentRoster* roster, const LogBook* book)
    : queue_(queue),
      traces_(std::move(traces)),
      check_(std::move(check)),
      roster_(roster),
      book_(book) {}

Experiment ControlService::parse(const control::Submission& submission) const {
  if (!traces_) {
    refuse("this coordinator was started without --traces, so it can read no trace");
  }
  std::vector<Override> overrides;
  for (const control::Override& given : submission.overrides) {
    overrides.push_back({"--set " + given.key, given.key, given.value});
  }
  if (!submission.name.empty()) {
    overrides.push_back({"the submitted name", "name", '"' + submission.name + '"'});
  }
  const TraceFolders folders{*traces_, traces_, true};
  Experiment experiment = parse_experiment(submission.experiment, "experiment", folders, overrides);
  // What names a place outside the run is the coordinator's to decide, not a client's.
  if (!experiment.output.empty()) refuse("output: not allowed in a submitted experiment");
  if (!experiment.log.redis.empty()) refuse("log.redis: not allowed in a submitted experiment");
  choose_schedulers(submission.schedulers, experiment);
  for (const control::NamedFile& file : submission.files) {
    give_file(experiment, file.name, file.content);
  }
  return experiment;
}

void ControlService::authenticate(const std::string&) {}  // the server's own, where it has a token

std::int64_t ControlService::submit(const control::Submission& submission) {
  // Thrift turns exceptions of other types into an internal error without a message.
  try {
    check_size(submission);
    Experiment experiment = parse(submission);
    check_(experiment);
    const std::optional<std::int64_t> run = queue_.submit(std::move(experiment));
    if (run) return *run;
  } catch (const InputError& error) {
    refuse(error.what());
  } catch (const EnvironmentError& error) {
    refuse(error.what());
  }
  control::QueueIsFull full;
  full.limit = static_cast<std::int32_t>(RunQueue::waiting_max);
  throw full;
}

void ControlService::list_runs(std::vector<control::RunStatus>& runs, std::int32_t limit) {
  const auto count = static_cast<std::size_t>(std::clamp(limit, 1, 1000));
  for (const RunEntry& entry : queue_.list(count)) runs.push_back(to_wire(entry));
}

RunEntry ControlService::known(std::int64_t run) const {
  std::optional<RunEntry> entry = queue_.find(run);
  if (!entry) fail_unknown(run);
  return *std::move(entry);
}

std::filesystem::path ControlService::folder_of_ended(std::int64_t run) const {
  const RunEntry entry = known(run);
  if (has_ended(entry.state)) return entry.folder;
  control::RunHasNotEnded early;
  early.run = run;
  early.state = to_wire(entry.state);
  throw early;
}

void ControlService::status(control::RunStatus& status, std::int64_t run) {
  status = to_wire(known(run));
}

void ControlService::list_files(std::vector<control::RunFile>& files, std::int64_t run,
                                const std::string& after) {
  constexpr std::size_t files_max = 2'000;
  for (const FileBelow& file : files_below(folder_of_ended(run), after, files_max)) {
    control::RunFile& entry = files.emplace_back();
    entry.path = file.path;
    entry.bytes = static_cast<std::int64_t>(file.bytes);
  }
}

void ControlService::read_file(std::string& bytes, std::int64_t run, const std::string& path,
                               std::int64_t offset) {
  constexpr std::size_t bytes_max = std::size_t{512} << 10;
  const auto fail = [](const std::string& message) {
    control::NoSuchFile missing;
    missing.message = message;
    throw missing;
  };
  const std::filesystem::path folder = folder_of_ended(run);
  const Result<FileDescriptor> opened = open_folder(folder);
  if (!opened) fail(opened.error().message);
  const Result<FileDescriptor> file = open_below(*opened, path);
  if (!file) fail(file.error().message);
  if (offset < 0) fail(fmt::format("{}: expected a place in the file, got {}", path, offset));
  bytes.resize(bytes_max);
  const ssize_t got = ::pread(file->number(), bytes.data(), bytes.size(), offset);
  if (got < 0) fail(path + ": " + error_text(errno));
  bytes.resize(static_cast<std::size_t>(got));
}

void ControlService::refresh(std::int64_t run, const std::string& setting,
                             const std::string& value) {
  constexpr std::size_t bytes_max = std::size_t{1} << 20;
  // A path would be read on this machine, for somebody who may not.
  const std::size_t begin = value.find_first_not_of(" \t\r\n");
  if (value.size() > bytes_max || begin == std::string::npos || value[begin] != '<') {
    refuse(fmt::format("{}: expected XML, at most {} bytes of it", setting, bytes_max));
  }
  change(run, RefreshWish{setting, value});
}

void ControlService::order(std::int64_t run, const control::Order& order) {
  constexpr std::int64_t grace_max = std::int64_t{366} * 24 * 3600 * 1'000'000;
  constexpr std::size_t name_bytes_max = 256;
  OrderWish wish;
  switch (order.kind) {
    case control::OrderKind::MOVE:
      wish.kind = OrderKind::move;
      break;
    case control::OrderKind::DRAIN:
      wish.kind = OrderKind::drain;
      break;
    case control::OrderKind::UNDRAIN:
      wish.kind = OrderKind::undrain;
      break;
    default:
      refuse(fmt::format("order.kind: expected 1, 2 or 3, got {}", static_cast<int>(order.kind)));
  }
  const bool is_move = wish.kind == OrderKind::move;
  if (order.node.size() > name_bytes_max || (order.node.empty() && !is_move)) {
    refuse(fmt::format("order.node: expected a name of at most {} bytes, got {}", name_bytes_max,
                       order.node.size()));
  }
  if (order.grace_microseconds < 0 || order.grace_microseconds > grace_max) {
    refuse(fmt::format("order.grace_microseconds: expected 0 to {}, got {}", grace_max,
                       order.grace_microseconds));
  }
  constexpr std::int64_t container_max = std::numeric_limits<std::uint32_t>::max() - 1;
  if (is_move && (order.container < 0 || order.container > container_max)) {
    refuse(
        fmt::format("order.container: expected 0 to {}, got {}", container_max, order.container));
  }
  wish.node = order.node;
  if (is_move) wish.container = ContainerId(static_cast<std::uint32_t>(order.container));
  wish.grace = Duration(order.grace_microseconds);
  change(run, std::move(wish));
}

void ControlService::change(std::int64_t run, ChangeWish wish) {
  const std::optional<RunState> state = queue_.change(run, std::move(wish));
  if (!state) fail_unknown(run);
  if (*state == RunState::running) return;
  control::RunIsNotRunning idle;
  idle.run = run;
  idle.state = to_wire(*state);
  throw idle;
}

void ControlService::log_lines(std::vector<control::LogLine>& lines, const std::string& daemon,
                               std::int64_t after, std::int32_t limit) {
  if (book_ == nullptr) return;
  const auto count = static_cast<std::size_t>(std::clamp(limit, 1, 1000));
  const auto last = static_cast<std::uint64_t>(std::max<std::int64_t>(after, 0));
  for (const BookedLine& booked : book_->read(daemon, last, count)) {
    control::LogLine& line = lines.emplace_back();
    line.number = static_cast<std::int64_t>(booked.number);
    line.daemon = booked.daemon;
    line.at_nanoseconds = booked.line.at.time_since_epoch().count();
    line.severity = static_cast<std::int32_t>(booked.line.severity);
    line.text = booked.line.text;
  }
}

void ControlService::cluster(control::ClusterStatus& status) {
  status.software = TRACEBED_VERSION;
  status.has_agents = roster_ != nullptr;
  if (const auto running = queue_.running()) status.__set_running(to_wire(*running));
  status.waiting =
      static_cast<std::int32_t>(queue_.counts()[static_cast<std::size_t>(RunState::waiting)]);
  if (roster_ == nullptr) return;
  const AgentRoster::State state = roster_->state();
  status.endpoint = roster_->endpoint();
  status.is_in_run = state.is_lent;
  status.agents_refused = static_cast<std::int64_t>(state.agents_refused);
  status.keys_refused = static_cast<std::int64_t>(state.keys_refused);
  for (const RosterMember& member : state.members) status.agents.push_back(to_wire(member));
}

void ControlService::cancel(std::int64_t run) {
  const std::optional<RunState> state = queue_.cancel(run);
  if (!state) fail_unknown(run);
  if (!has_ended(*state)) return;
  control::RunHasEnded ended;
  ended.run = run;
  ended.state = to_wire(*state);
  throw ended;
}

}  // namespace tracebed
