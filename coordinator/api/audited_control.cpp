#include "coordinator/api/audited_control.h"

#include <fmt/format.h>

#include "coordinator/api/control_client.h"

namespace tracebed {
namespace {

std::string text_of(const control::AdministratorCommand& command) {
  switch (command.kind) {
    case control::AdministratorCommandKind::MOVE:
      return fmt::format("container {}{}", command.container,
                         command.node.empty() ? "" : " to " + command.node);
    case control::AdministratorCommandKind::DRAIN:
      return fmt::format("node {} within {} s", command.node,
                         command.grace_microseconds / 1'000'000);
    case control::AdministratorCommandKind::UNDRAIN:
      break;
  }
  return "node " + command.node;
}

const char* action_of(control::AdministratorCommandKind::type kind) {
  switch (kind) {
    case control::AdministratorCommandKind::MOVE:
      return "move";
    case control::AdministratorCommandKind::DRAIN:
      return "drain";
    case control::AdministratorCommandKind::UNDRAIN:
      return "undrain";
  }
  return "command";
}

}  // namespace

void AuditedControl::audited(AuditRecord record, const std::function<void(AuditRecord&)>& call) {
  if (log_ == nullptr) return call(record);
  record.who = who_;
  record.peer = peer_;
  record.outcome = "done";
  std::exception_ptr thrown;
  try {
    call(record);
  } catch (...) {
    thrown = std::current_exception();
    record.outcome = "refused: " + refusal_text(thrown);
    record.is_refused = true;
  }
  log_->write(record);
  if (thrown) std::rethrow_exception(thrown);
}

std::int64_t AuditedControl::submit(const control::Submission& submission) {
  std::int64_t run = 0;
  audited(
      {.action = "submit", .detail = submission.name.empty() ? submission.file : submission.name},
      [&](AuditRecord& record) { record.run = run = service_.submit(submission); });
  return run;
}

void AuditedControl::list_files(std::vector<control::RunFile>& files, std::int64_t run,
                                const std::string& after) {
  if (!after.empty()) return service_.list_files(files, run, after);
  audited({.action = "fetch", .run = run, .only_reads = true},
          [&](AuditRecord&) { service_.list_files(files, run, after); });
}

void AuditedControl::refresh(std::int64_t run, const std::string& setting, const std::string& value,
                             const std::string& file) {
  audited({.action = "refresh",
           .run = run,
           .detail = fmt::format("{}, {} bytes", setting, value.size())},
          [&](AuditRecord&) { service_.refresh(run, setting, value, file); });
}

void AuditedControl::tune(std::int64_t run, const std::string& parameter,
                          const std::string& value) {
  audited({.action = "tune", .run = run, .detail = fmt::format("{}={}", parameter, value)},
          [&](AuditRecord&) { service_.tune(run, parameter, value); });
}

void AuditedControl::execute(std::int64_t run, const control::AdministratorCommand& command) {
  audited({.action = action_of(command.kind), .run = run, .detail = text_of(command)},
          [&](AuditRecord&) { service_.execute(run, command); });
}

void AuditedControl::set_drained(const std::string& agent, bool is_drained, std::int64_t grace) {
  audited({.action = is_drained ? "drain" : "undrain", .detail = "agent " + agent},
          [&](AuditRecord&) { service_.set_drained(agent, is_drained, grace); });
}

void AuditedControl::cancel(std::int64_t run) {
  audited({.action = "cancel", .run = run}, [&](AuditRecord&) { service_.cancel(run); });
}

void AuditedControl::delete_run(std::int64_t run) {
  audited({.action = "delete", .run = run}, [&](AuditRecord&) { service_.delete_run(run); });
}

}  // namespace tracebed
