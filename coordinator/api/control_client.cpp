#include "coordinator/api/control_client.h"

#include <fmt/format.h>
#include <thrift/TApplicationException.h>
#include <thrift/protocol/TBinaryProtocol.h>
#include <thrift/transport/TBufferTransports.h>
#include <thrift/transport/TSocket.h>

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

std::string_view name(control::RunState::type state) {
  switch (state) {
    case control::RunState::WAITING:
      return "waiting";
    case control::RunState::RUNNING:
      return "running";
    case control::RunState::FINISHED:
      return "finished";
    case control::RunState::FAILED:
      return "failed";
    case control::RunState::CANCELLED:
      return "cancelled";
  }
  return "unknown";  // from a newer coordinator
}

template <class Call>
auto ControlClient::guarded(Call call) {
  try {
    return call();
  } catch (const control::BadExperiment& bad) {
    throw ControlRefusal(bad.message);
  } catch (const control::UnknownRun& unknown) {
    throw ControlRefusal(fmt::format("the coordinator knows no run {}", unknown.run));
  } catch (const control::RunHasEnded& ended) {
    throw ControlRefusal(
        fmt::format("run {} has ended already: {}", ended.run, text_of(ended.state)));
  } catch (const control::RunIsNotRunning& idle) {
    throw ControlRefusal(fmt::format("run {} is not running: {}", idle.run, text_of(idle.state)));
  } catch (const control::QueueIsFull& full) {
    throw ControlRefusal(
        fmt::format("the coordinator's queue is full: {} runs wait already", full.limit));
  } catch (const control::RunHasNotEnded& early) {
    throw ControlRefusal(
        fmt::format("run {} has not ended yet: {}", early.run, text_of(early.state)));
  } catch (const control::NoSuchFile& missing) {
    throw ControlRefusal(missing.message);
  } catch (const control::NotAuthorised& refused) {
    throw ControlRefusal(fmt::format("{}: {}", address_, refused.message));
  } catch (const apache::thrift::TApplicationException& error) {
    throw ControlRefusal(fmt::format("{}: {}", address_, error.what()));
  } catch (const apache::thrift::TException& error) {
    throw EnvironmentError(
        fmt::format("no answer from a coordinator at {}: {}", address_, error.what()));
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

std::vector<control::RunStatus> ControlClient::list_runs(std::int32_t limit) {
  std::vector<control::RunStatus> runs;
  guarded([&] { client_->list_runs(runs, limit); });
  return runs;
}

control::RunStatus ControlClient::status(std::int64_t run) {
  control::RunStatus status;
  guarded([&] { client_->status(status, run); });
  return status;
}

void ControlClient::refresh(std::int64_t run, const std::string& setting,
                            const std::string& value) {
  guarded([&] { client_->refresh(run, setting, value); });
}

control::ClusterStatus ControlClient::cluster() {
  control::ClusterStatus status;
  guarded([&] { client_->cluster(status); });
  return status;
}

std::vector<control::LogLine> ControlClient::log_lines(const std::string& daemon,
                                                       std::int64_t after, std::int32_t limit) {
  std::vector<control::LogLine> lines;
  guarded([&] { client_->log_lines(lines, daemon, after, limit); });
  return lines;
}

void ControlClient::order(std::int64_t run, const control::Order& order) {
  guarded([&] { client_->order(run, order); });
}

void ControlClient::cancel(std::int64_t run) {
  guarded([&] { client_->cancel(run); });
}

}  // namespace tracebed
