#include "coordinator/api/control_client.h"

#include <fmt/format.h>
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
  } catch (const apache::thrift::TException& error) {
    throw EnvironmentError(
        fmt::format("no answer from a coordinator at {}: {}", address_, error.what()));
  }
}

ControlClient::ControlClient(const std::string& host, std::uint16_t port)
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
}

std::int64_t ControlClient::submit(const std::string& experiment, const std::string& name) {
  return guarded([&] { return client_->submit(experiment, name); });
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

void ControlClient::order(std::int64_t run, const control::Order& order) {
  guarded([&] { client_->order(run, order); });
}

void ControlClient::cancel(std::int64_t run) {
  guarded([&] { client_->cancel(run); });
}

}  // namespace tracebed
