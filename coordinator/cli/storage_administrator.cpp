#include "coordinator/cli/storage_administrator.h"

#include <charconv>
#include <cstdint>
#include <fmt/format.h>
#include <thrift/protocol/TBinaryProtocol.h>
#include <thrift/transport/TBufferTransports.h>
#include <thrift/transport/TSocket.h>
#include <thrift/transport/TTransportException.h>

#include "core/input_error.h"
#include "system/token.h"

namespace tracebed {
namespace {

using apache::thrift::TConfiguration;
using apache::thrift::protocol::TBinaryProtocol;
using apache::thrift::transport::TFramedTransport;
using apache::thrift::transport::TSocket;

constexpr int connect_milliseconds = 5'000;
constexpr int answer_milliseconds = 60'000;  // a datanode carries out the order first
constexpr int frame_bytes_max = 16 << 20;

std::uint16_t port_of(const std::string& address) {
  const std::size_t colon = address.rfind(':');
  std::uint16_t port = 0;
  if (colon != std::string::npos && colon > 0) {
    const char* const end = address.data() + address.size();
    const auto parsed = std::from_chars(address.data() + colon + 1, end, port);
    if (parsed.ec != std::errc{} || parsed.ptr != end) port = 0;
  }
  if (port > 0) return port;
  throw InputError(fmt::format("--thrift: expected ADDRESS:PORT, got \"{}\"", address));
}

}  // namespace

void add_administrator_flags(CLI::App& command, AdministratorFlags& flags) {
  command
      .add_option("--thrift", flags.address,
                  "Address of the administrators' service, which the run prints")
      ->required();
  command.add_option("--token-file", flags.token_file,
                     "File with the coordinator's token, if it requires one");
  command.add_flag("--json", flags.json, "Print as JSON");
}

StorageAdministrator::StorageAdministrator(const AdministratorFlags& flags)
    : address_(flags.address) {
  const std::uint16_t port = port_of(address_);
  const std::string token = flags.token_file.empty() ? "" : read_token_file(flags.token_file);
  const auto limits = std::make_shared<TConfiguration>(frame_bytes_max, frame_bytes_max);
  const auto socket =
      std::make_shared<TSocket>(address_.substr(0, address_.rfind(':')), port, limits);
  socket->setConnTimeout(connect_milliseconds);
  socket->setRecvTimeout(answer_milliseconds);
  socket->setSendTimeout(answer_milliseconds);
  const auto transport = std::make_shared<TFramedTransport>(socket, limits);
  client_ = std::make_unique<storage::StorageClient>(std::make_shared<TBinaryProtocol>(transport));
  ask([&](storage::StorageClient&) { transport->open(); });
  if (!token.empty()) ask([&](storage::StorageClient& client) { client.authenticate(token); });
}

void StorageAdministrator::throw_failure() const {
  try {
    throw;
  } catch (const storage::StorageException& failure) {
    throw InputError(failure.message);
  } catch (const storage::NotAuthorised& refused) {
    throw EnvironmentError(fmt::format("{}: {}", address_, refused.message));
  } catch (const apache::thrift::TException& error) {
    throw EnvironmentError(fmt::format("no answer from a run's administrators' service at {}: {}",
                                       address_, error.what()));
  }
}

}  // namespace tracebed
