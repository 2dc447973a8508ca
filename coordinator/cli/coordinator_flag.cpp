#include "coordinator/cli/coordinator_flag.h"

#include <algorithm>
#include <charconv>
#include <ctime>
#include <fmt/chrono.h>
#include <fmt/format.h>

#include "coordinator/api/control_server.h"
#include "coordinator/cli/follow_run.h"
#include "coordinator/cli/text_output.h"
#include "core/input_error.h"
#include "system/quantities.h"
#include "system/token.h"

namespace tracebed {

void add_coordinator_flags(CLI::App& command, CoordinatorFlags& flags) {
  flags.address = fmt::format("127.0.0.1:{}", control_port_default);
  command.add_option("--coordinator", flags.address, "HOST:PORT of the coordinator")
      ->capture_default_str();
  command
      .add_option("--token-file", flags.token_file,
                  "File with the coordinator's token, if it requires one")
      ->envname("TRACEBED_TOKEN_FILE");
}

ControlClient connect_to(const CoordinatorFlags& flags) {
  const std::string& address = flags.address;
  const std::size_t colon = address.rfind(':');
  std::uint16_t port = 0;
  bool is_valid = colon != std::string::npos && colon > 0;
  if (is_valid) {
    const char* end = address.data() + address.size();
    const auto parsed = std::from_chars(address.data() + colon + 1, end, port);
    is_valid = parsed.ec == std::errc() && parsed.ptr == end && port > 0;
  }
  if (!is_valid) {
    throw InputError(fmt::format(
        "--coordinator: expected HOST:PORT with a port from 1 to 65535, got {}", address));
  }
  const std::string token = flags.token_file.empty() ? "" : read_token_file(flags.token_file);
  return ControlClient(address.substr(0, colon), port, token);
}

namespace {

nlohmann::ordered_json to_json(const control::WaitingJob& job) {
  nlohmann::ordered_json reasons = nlohmann::ordered_json::array();
  for (const control::WaitingReason& reason : job.reasons) {
    reasons.push_back({{"reason", reason.reason}, {"text", reason.text}});
  }
  return {{"job", job.job},
          {"user", job.user},
          {"queue", job.queue},
          {"since_trace_seconds", static_cast<double>(job.since_microseconds) / 1e6},
          {"reasons", std::move(reasons)}};
}

}  // namespace

nlohmann::ordered_json to_json(const control::RunStatus& status) {
  nlohmann::ordered_json json{
      {"run", status.run},
      {"name", status.name},
      {"state", name(status.state)},
      {"message", status.message},
      {"exit_code", status.exit_code},
      {"folder", status.folder},
      {"submitted_at", status.submitted_at},
      {"started_at", status.started_at},
      {"ended_at", status.ended_at},
  };
  json["changes"] = nlohmann::ordered_json::array();
  for (const control::ChangeOutcome& change : status.changes) {
    json["changes"].push_back(
        {{"was_taken", change.was_taken},
         {"text", change.text},
         {"number", change.number},
         {"at", change.at},
         {"trace_seconds", static_cast<double>(change.trace_microseconds) / 1e6}});
  }
  json["warnings"] = status.warnings;
  json["ahead"] = status.ahead;
  json["waits_for"] = status.waits_for;
  if (status.__isset.progress) {
    json["progress"] = {
        {"scheduler", status.progress.scheduler},
        {"replay", status.progress.replay},
        {"replays", status.progress.replays},
        {"repetition", status.progress.repetition},
        {"repetitions", status.progress.repetitions},
        {"is_noise", status.progress.is_noise},
        {"done", status.progress.done},
        {"jobs", status.progress.jobs},
        {"jobs_submitted", status.progress.jobs_submitted},
        {"jobs_ended", status.progress.jobs_ended},
        {"containers", status.progress.containers},
        {"trace_seconds", static_cast<double>(status.progress.trace_microseconds) / 1e6},
        {"waiting", nlohmann::ordered_json::array()},
    };
    for (const control::WaitingJob& job : status.progress.waiting) {
      json["progress"]["waiting"].push_back(to_json(job));
    }
  }
  return json;
}

std::string waiting_lines(const control::RunStatus& status) {
  std::string lines;
  if (!status.__isset.progress) return lines;
  const control::ReplayProgress& progress = status.progress;
  for (const control::WaitingJob& job : progress.waiting) {
    const auto waited =
        static_cast<double>(progress.trace_microseconds - job.since_microseconds) / 1e6;
    lines += plain_format("       job {} of {} in {} has waited {:.1f} s:", job.job, job.user,
                          job.queue, waited);
    const char* separator = " ";
    for (const control::WaitingReason& reason : job.reasons) {
      lines += separator + plain_line(reason.text);
      separator = "; ";
    }
    lines += '\n';
  }
  return lines;
}

std::string change_lines(const control::RunStatus& status) {
  std::string lines;
  for (const control::ChangeOutcome& change : status.changes) {
    constexpr std::int64_t year_10000 = 253'402'300'800;  // what comes is another's word
    const std::time_t at = std::clamp<std::int64_t>(change.at, 0, year_10000 - 1);
    lines += plain_format("       {:%Y-%m-%d %H:%M:%S}, {} of the trace: {}{}\n",
                          fmt::localtime(at), clock_text(microseconds(change.trace_microseconds)),
                          change.was_taken ? "" : "refused: ", change.text);
  }
  for (const std::string& warning : status.warnings) {
    lines += plain_format("       warning: {}\n", warning);
  }
  return lines;
}

std::string status_line(const control::RunStatus& status) {
  std::string line = fmt::format("{:>5}  {:<9}  {}", status.run, name(status.state), status.name);
  if (status.ahead > 0) line += fmt::format("  {} before it", status.ahead);
  if (!status.waits_for.empty()) line += "  paused: " + status.waits_for;
  if (status.__isset.progress) {
    const RunProgress progress = to_progress(status.progress);
    line +=
        fmt::format("  [{}/{}] {}: {}/{} jobs, {} running", progress.replay, progress.replays,
                    replay_name(progress), progress.jobs_ended, progress.jobs, progress.containers);
  }
  if (!status.message.empty()) line += "  " + status.message;
  return line;
}

}  // namespace tracebed
