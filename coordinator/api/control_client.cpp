#include "coordinator/api/control_client.h"

#include <fmt/format.h>
#include <iterator>
#include <thrift/TApplicationException.h>
#include <thrift/protocol/TBinaryProtocol.h>
#include <thrift/transport/TBufferTransports.h>
#include <thrift/transport/TSocket.h>
#include <thrift/transport/TTransportException.h>

#include "coordinator/api/control_server.h"
#include "core/input_error.h"

namespace tracebed {
namespace {

using apache::thrift::TConfiguration;
using apache::thrift::protocol::TBinaryProtocol;
using apache::thrift::transport::TFramedTransport;
using apache::thrift::transport::TSocket;

constexpr int connect_milliseconds = 5'000;
constexpr int answer_milliseconds = 30'000;

std::string text_of(control::RunState::type state) {
  return std::string(name(state));
}

}  // namespace

std::string refusal_text(const std::exception_ptr& thrown) {
  try {
    std::rethrow_exception(thrown);
  } catch (const control::BadExperiment& bad) {
    return bad.message;
  } catch (const control::UnknownRun& unknown) {
    return fmt::format("the coordinator has no run {}", unknown.run);
  } catch (const control::RunHasEnded& ended) {
    return fmt::format("run {} has already ended: {}", ended.run, text_of(ended.state));
  } catch (const control::RunIsNotRunning& idle) {
    return fmt::format("run {} is not running: {}", idle.run, text_of(idle.state));
  } catch (const control::QueueIsFull& full) {
    return fmt::format("the coordinator's queue is full: {} runs are waiting", full.limit);
  } catch (const control::RunHasNotEnded& early) {
    return fmt::format("run {} has not ended yet: {}", early.run, text_of(early.state));
  } catch (const control::NoSuchFile& missing) {
    return missing.message;
  } catch (const control::NotAuthorised& refused) {
    return refused.message;
  } catch (const std::exception& error) {
    return error.what();
  }
}

template <class Call>
auto ControlClient::guarded(Call call) {
  using apache::thrift::TApplicationException;
  try {
    return call();
  } catch (const control::BadExperiment& bad) {
    throw ContentRefusal(bad.message);
  } catch (const control::NotAuthorised& refused) {
    throw ControlRefusal(fmt::format("{}: {}", address_, refused.message));
  } catch (const TApplicationException& error) {
    throw ControlRefusal(fmt::format("{}: {}", address_, error.what()));
  } catch (const apache::thrift::transport::TTransportException& error) {
    throw EnvironmentError(
        fmt::format("no answer from a coordinator at {}: {}", address_, error.what()));
  } catch (const apache::thrift::protocol::TProtocolException& error) {
    throw EnvironmentError(
        fmt::format("no answer from a coordinator at {}: {}", address_, error.what()));
  } catch (const apache::thrift::TException&) {
    throw ControlRefusal(refusal_text(std::current_exception()));
  }
}

ControlClient::ControlClient(const std::string& host, std::uint16_t port, const std::string& token)
    : address_(fmt::format("{}:{}", host, port)) {
  const auto limits =
      std::make_shared<TConfiguration>(16 * control_frame_bytes_max, 16 * control_frame_bytes_max);
  const auto socket = std::make_shared<TSocket>(host, port, limits);
  socket->setConnTimeout(connect_milliseconds);
  socket->setRecvTimeout(answer_milliseconds);
  socket->setSendTimeout(answer_milliseconds);
  const auto transport = std::make_shared<TFramedTransport>(socket, limits);
  client_ = std::make_unique<control::ControlClient>(std::make_shared<TBinaryProtocol>(transport));
  guarded([&] { transport->open(); });
  if (!token.empty()) guarded([&] { client_->authenticate(token); });
}

std::int64_t ControlClient::submit(const control::Submission& submission) {
  return guarded([&] { return client_->submit(submission); });
}

std::vector<control::RunFile> ControlClient::list_files(std::int64_t run,
                                                        const std::string& after) {
  std::vector<control::RunFile> files;
  guarded([&] { client_->list_files(files, run, after); });
  return files;
}

std::string ControlClient::read_file(std::int64_t run, const std::string& path,
                                     std::int64_t offset) {
  std::string bytes;
  guarded([&] { client_->read_file(bytes, run, path, offset); });
  return bytes;
}

std::vector<control::RunStatus> ControlClient::list_runs(std::int32_t limit, std::int64_t skip) {
  std::vector<control::RunStatus> runs;
  do {
    std::vector<control::RunStatus> page;
    const std::int64_t before = runs.empty() ? 0 : runs.back().run;
    const std::int64_t left_out = runs.empty() ? skip : 0;
    guarded([&] { client_->list_runs(page, limit, before, left_out); });
    // A coordinator of an earlier version has one page, and gives it again.
    if (page.empty() || (before != 0 && page.front().run >= before)) break;
    limit -= static_cast<std::int32_t>(page.size());
    runs.insert(runs.end(), std::make_move_iterator(page.begin()),
                std::make_move_iterator(page.end()));
  } while (limit > 0);
  return runs;
}

control::RunStatus ControlClient::status(std::int64_t run) {
  control::RunStatus status;
  guarded([&] { client_->status(status, run); });
  return status;
}

void ControlClient::refresh(std::int64_t run, const std::string& setting, const std::string& value,
                            const std::string& file) {
  guarded([&] { client_->refresh(run, setting, value, file); });
}

void ControlClient::tune(std::int64_t run, const std::string& parameter, const std::string& value) {
  guarded([&] { client_->tune(run, parameter, value); });
}

control::ClusterStatus ControlClient::cluster() {
  control::ClusterStatus status;
  guarded([&] { client_->cluster(status, ""); });
  while (status.has_more && !status.agents.empty()) {
    control::ClusterStatus page;
    guarded([&] { client_->cluster(page, status.agents.back().name); });
    status.has_more = page.has_more && !page.agents.empty();
    status.agents.insert(status.agents.end(), page.agents.begin(), page.agents.end());
  }
  return status;
}

std::vector<control::LogLine> ControlClient::log_lines(const std::string& daemon,
                                                       std::int64_t after, std::int32_t limit) {
  std::vector<control::LogLine> lines;
  guarded([&] { client_->log_lines(lines, daemon, after, limit); });
  return lines;
}

void ControlClient::set_drained(const std::string& agent, bool is_drained,
                                std::int64_t grace_microseconds) {
  guarded([&] { client_->set_drained(agent, is_drained, grace_microseconds); });
}

void ControlClient::execute(std::int64_t run, const control::AdministratorCommand& command) {
  guarded([&] { client_->execute(run, command); });
}

void ControlClient::delete_run(std::int64_t run) {
  guarded([&] { client_->delete_run(run); });
}

void ControlClient::cancel(std::int64_t run) {
  guarded([&] { client_->cancel(run); });
}

}  // namespace tracebed
