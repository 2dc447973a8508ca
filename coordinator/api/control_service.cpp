#include "coordinator/api/control_service.h"

#include <algorithm>
#include <cerrno>
#include <fmt/format.h>
#include <initializer_list>
#include <limits>
#include <span>
#include <unistd.h>

#include "coordinator/api/control_conversions.h"
#include "coordinator/real/agent_roster.h"
#include "coordinator/real/log_book.h"
#include "coordinator/real/redis_monitor.h"
#include "core/input_error.h"
#include "system/files_below.h"

namespace tracebed {
namespace {

[[noreturn]] void refuse(const std::string& message) {
  control::BadExperiment bad;
  bad.message = message;
  throw bad;
}

void check_text(const char* what, const std::string& text) {
  constexpr std::size_t bytes_max = 256;
  if (text.size() <= bytes_max) return;
  refuse(fmt::format("{}: expected at most {} bytes, got {}", what, bytes_max, text.size()));
}

constexpr std::int64_t grace_max = std::int64_t{366} * 24 * 3600 * 1'000'000;

// None of a number that is no kind: Thrift passes on whatever a client sent.
std::optional<AdministratorCommandKind> from_wire(control::AdministratorCommandKind::type kind) {
  switch (kind) {
    case control::AdministratorCommandKind::MOVE:
      return AdministratorCommandKind::move;
    case control::AdministratorCommandKind::DRAIN:
      return AdministratorCommandKind::drain;
    case control::AdministratorCommandKind::UNDRAIN:
      return AdministratorCommandKind::undrain;
  }
  return std::nullopt;
}

[[noreturn]] void fail_unknown(std::int64_t run) {
  control::UnknownRun unknown;
  unknown.run = run;
  throw unknown;
}

[[noreturn]] void fail_early(std::int64_t run, RunState state) {
  control::RunHasNotEnded early;
  early.run = run;
  early.state = to_wire(state);
  throw early;
}

// Takes entries until they have as many bytes as a page may; at least one.
class PageBytes {
 public:
  bool is_full() const { return bytes_ >= ControlService::page_bytes_max; }
  void add(std::initializer_list<std::size_t> texts) {
    constexpr std::size_t of_an_entry = 128;  // its numbers, and the lengths of its texts
    bytes_ += of_an_entry;
    for (const std::size_t text : texts) bytes_ += text;
  }

 private:
  std::size_t bytes_ = 0;
};

}  // namespace

ControlService::ControlService(RunQueue& queue, const SubmissionReader& reader, AgentRoster* roster,
                               const LogBook* book, const RedisMonitor* redis)
    : queue_(queue), reader_(reader), roster_(roster), book_(book), redis_(redis) {}

void ControlService::authenticate(const std::string&) {}  // the server's own, where it has a token

std::int64_t ControlService::submit(const control::Submission& submission) {
  // Thrift turns exceptions of other types into an internal error without a message.
  try {
    const Experiment experiment = reader_.read(submission);
    const std::optional<std::int64_t> run =
        queue_.submit({experiment.name, experiment.source, kept_text(submission)});
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

void ControlService::list_runs(std::vector<control::RunStatus>& runs, std::int32_t limit,
                               std::int64_t before, std::int64_t skip) {
  const auto count = static_cast<std::size_t>(std::clamp(limit, 1, 1000));
  const auto left_out = static_cast<std::size_t>(std::max<std::int64_t>(skip, 0));
  PageBytes page;
  for (const RunEntry& entry : queue_.list(count, std::max<std::int64_t>(before, 0), left_out)) {
    if (page.is_full()) return;
    page.add({entry.name.size(), entry.message.size(), entry.folder.native().size(),
              entry.waits_for.size(), entry.progress ? progress_bytes_max : 0});
    runs.push_back(to_wire(entry));
  }
}

RunEntry ControlService::known(std::int64_t run) const {
  std::optional<RunEntry> entry = queue_.find(run);
  if (!entry) fail_unknown(run);
  return *std::move(entry);
}

std::filesystem::path ControlService::folder_of_ended(std::int64_t run) const {
  const RunEntry entry = known(run);
  if (!entry.state.has_ended()) fail_early(run, entry.state);
  return entry.folder;
}

void ControlService::status(control::RunStatus& status, std::int64_t run) {
  status = to_wire(known(run));
}

void ControlService::list_files(std::vector<control::RunFile>& files, std::int64_t run,
                                const std::string& after) {
  constexpr std::size_t files_max = 2'000;
  const std::filesystem::path folder = folder_of_ended(run);
  std::error_code unreadable;
  if (!std::filesystem::is_directory(folder, unreadable)) {
    control::NoSuchFile missing;
    missing.message = fmt::format("run {}: its folder {} no longer exists", run, folder.string());
    throw missing;
  }
  PageBytes page;
  for (const FileBelow& file : files_below(folder, after, files_max)) {
    if (page.is_full()) return;
    page.add({file.path.size()});
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
  if (offset < 0) fail(fmt::format("{}: expected an offset in the file, got {}", path, offset));
  bytes.resize(bytes_max);
  const ssize_t got = ::pread(file->number(), bytes.data(), bytes.size(), offset);
  if (got < 0) fail(path + ": " + error_text(errno));
  bytes.resize(static_cast<std::size_t>(got));
}

void ControlService::tune(std::int64_t run, const std::string& parameter,
                          const std::string& value) {
  check_text("parameter", parameter);
  check_text("value", value);
  change(run, RequestedTuning{parameter, value});
}

void ControlService::refresh(std::int64_t run, const std::string& setting, const std::string& value,
                             const std::string& file) {
  constexpr std::size_t bytes_max = std::size_t{1} << 20;
  // A path would be read on this machine, for somebody who may not.
  const std::size_t begin = value.find_first_not_of(" \t\r\n");
  if (value.size() > bytes_max || begin == std::string::npos || value[begin] != '<') {
    refuse(fmt::format("{}: expected at most {} bytes of XML", setting, bytes_max));
  }
  check_text("setting", setting);
  check_text("file", file);
  change(run, RequestedRefresh{setting, value, file});
}

void ControlService::set_drained(const std::string& agent, bool is_drained, std::int64_t grace) {
  if (roster_ == nullptr) refuse("this coordinator does not listen for agents (listen)");
  if (grace < 0 || grace > grace_max) {
    refuse(fmt::format("grace_microseconds: expected 0 to {}, got {}", grace_max, grace));
  }
  if (!is_drained && !roster_->is_drained(agent)) refuse(agent + " is not drained");
  try {
    if (!roster_->set_drained(agent, is_drained)) {
      refuse(fmt::format("expected an agent that has registered, got {}", agent));
    }
  } catch (const EnvironmentError& error) {
    refuse(error.what());
  }
  if (!roster_->state().is_lent) return;
  const auto running = queue_.running();
  AdministratorRequest request;
  request.kind = is_drained ? AdministratorCommandKind::drain : AdministratorCommandKind::undrain;
  request.node = agent;
  request.grace = Duration(grace);
  if (!running) return;
  try {
    queue_.change(running->id, std::move(request));
  } catch (const InputError&) {  // it has no part in that run
  }
}

void ControlService::execute(std::int64_t run, const control::AdministratorCommand& command) {
  constexpr std::size_t name_bytes_max = 256;
  AdministratorRequest request;
  const std::optional<AdministratorCommandKind> kind = from_wire(command.kind);
  if (!kind) {
    refuse(fmt::format("command.kind: expected 1, 2 or 3, got {}", static_cast<int>(command.kind)));
  }
  request.kind = *kind;
  const bool is_move = request.kind == AdministratorCommandKind::move;
  if (command.node.size() > name_bytes_max || (command.node.empty() && !is_move)) {
    refuse(fmt::format("command.node: expected a name of at most {} bytes, got {}", name_bytes_max,
                       command.node.size()));
  }
  if (command.grace_microseconds < 0 || command.grace_microseconds > grace_max) {
    refuse(fmt::format("command.grace_microseconds: expected 0 to {}, got {}", grace_max,
                       command.grace_microseconds));
  }
  constexpr std::int64_t container_max = std::numeric_limits<std::uint32_t>::max() - 1;
  if (is_move && (command.container < 0 || command.container > container_max)) {
    refuse(fmt::format("command.container: expected 0 to {}, got {}", container_max,
                       command.container));
  }
  request.node = command.node;
  if (is_move) request.container = ContainerId(static_cast<std::uint32_t>(command.container));
  request.grace = Duration(command.grace_microseconds);
  change(run, std::move(request));
}

void ControlService::change(std::int64_t run, RequestedChange request) {
  std::optional<RunQueue::Passed> passed;
  try {
    passed = queue_.change(run, std::move(request));
  } catch (const InputError& error) {
    refuse(error.what());
  }
  if (!passed) fail_unknown(run);
  if (passed->state == RunState::running) return;
  control::RunIsNotRunning idle;
  idle.run = run;
  idle.state = to_wire(passed->state);
  throw idle;
}

void ControlService::log_lines(std::vector<control::LogLine>& lines, const std::string& daemon,
                               std::int64_t after, std::int32_t limit) {
  if (book_ == nullptr) return;
  const auto count = static_cast<std::size_t>(std::clamp(limit, 1, 1000));
  const auto last = static_cast<std::uint64_t>(std::max<std::int64_t>(after, 0));
  // Of lines that are too many for an answer, it is the first that are left out.
  const std::vector<BookedLine> latest = book_->read(daemon, last, count);
  PageBytes page;
  auto first = latest.end();
  while (first != latest.begin() && !page.is_full()) {
    --first;
    page.add({first->daemon.size(), first->line.text.size()});
  }
  for (const BookedLine& booked : std::span(first, latest.end())) {
    control::LogLine& line = lines.emplace_back();
    line.number = static_cast<std::int64_t>(booked.number);
    line.daemon = booked.daemon;
    line.at_nanoseconds = booked.line.at.time_since_epoch().count();
    line.severity = static_cast<std::int32_t>(booked.line.severity);
    line.text = booked.line.text;
  }
}

void ControlService::cluster(control::ClusterStatus& status, const std::string& after) {
  status.software = TRACEBED_VERSION;
  status.has_agents = roster_ != nullptr;
  if (const auto running = queue_.running()) status.__set_running(to_wire(*running));
  status.waiting = static_cast<std::int32_t>(queue_.counts()[index_of(RunState::waiting)]);
  status.paused_for = queue_.paused_for();
  if (redis_ != nullptr) {
    const RedisMonitor::State redis = redis_->state();
    status.redis = redis_->address();
    status.is_redis_up = redis.is_up || !redis.is_known;
    status.redis_trouble = redis.trouble;
    status.redis_runs = redis.runs;
    status.redis_keys = redis.keys;
    status.redis_log_bytes = redis.log_bytes;
  }
  if (roster_ == nullptr) return;
  const AgentRoster::State state = roster_->state();
  status.endpoint = roster_->endpoint();
  status.is_in_run = state.is_lent;
  status.agents_refused = static_cast<std::int64_t>(state.agents_refused);
  status.keys_refused = static_cast<std::int64_t>(state.keys_refused);
  PageBytes page;
  for (const RosterMember& member : state.members) {
    if (member.machine.name <= after) continue;
    status.has_more = page.is_full();
    if (status.has_more) return;
    control::AgentStatus agent = to_wire(member);
    const auto datanode =
        std::find_if(state.datanodes.begin(), state.datanodes.end(),
                     [&](const DatanodeMember& d) { return d.agent == member.machine.name; });
    if (datanode != state.datanodes.end()) agent.__set_datanode(to_wire(*datanode));
    std::size_t labels = 0;
    for (const std::string& label : agent.labels) labels += label.size() + sizeof(std::int32_t);
    page.add({agent.name.size(), agent.rack.size(), agent.address.size(), agent.software.size(),
              labels, agent.datanode.address.size(), agent.datanode.software.size()});
    status.agents.push_back(std::move(agent));
  }
}

void ControlService::cancel(std::int64_t run) {
  const std::optional<RunState> state = queue_.cancel(run);
  if (!state) fail_unknown(run);
  if (!state->has_ended()) return;
  control::RunHasEnded ended;
  ended.run = run;
  ended.state = to_wire(*state);
  throw ended;
}

void ControlService::delete_run(std::int64_t run) {
  const std::optional<RunState> state = queue_.remove(run);
  if (!state) fail_unknown(run);
  if (!state->has_ended()) fail_early(run, *state);
}

}  // namespace tracebed
