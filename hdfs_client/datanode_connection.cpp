#include "hdfs_client/datanode_connection.h"

#include <limits>
#include <utility>

#include "protocol/hdfs/delimited.h"

namespace tracebed::hdfs {
namespace {

constexpr std::size_t response_bytes_max = std::size_t{1} << 20;

ParseResult<pb::BlockOpResponse> parse_response(Bytes unread) {
  return visit_all(
      parse_delimited(unread, response_bytes_max),
      [](const NeedMore& more) -> ParseResult<pb::BlockOpResponse> { return more; },
      [](const Malformed& error) -> ParseResult<pb::BlockOpResponse> { return error; },
      [](const Parsed<Bytes>& bytes) -> ParseResult<pb::BlockOpResponse> {
        Parsed<pb::BlockOpResponse> response{{}, bytes.bytes};
        if (parse_message(bytes.value, response.value)) return response;
        return Malformed{"the response to an operation cannot be parsed"};
      });
}

}  // namespace

std::string transfer_address(const pb::DatanodeId& datanode) {
  return datanode.ip_addr() + ":" + std::to_string(datanode.xfer_port());
}

std::string block_text(const pb::ExtendedBlock& block) {
  return "block " + std::to_string(block.block_id()) + " with generation stamp " +
         std::to_string(block.generation_stamp());
}

ClientResult<DatanodeConnection> DatanodeConnection::open(const pb::DatanodeId& datanode,
                                                          const ConnectionOptions& options) {
  if (datanode.xfer_port() > std::numeric_limits<std::uint16_t>::max()) {
    return ClientFailure{
        ClientFailureKind::protocol, transfer_address(datanode) + ": there is no such port", {}};
  }
  const Endpoint endpoint{datanode.ip_addr(), static_cast<std::uint16_t>(datanode.xfer_port())};
  ClientResult<Connection> connection = Connection::open(endpoint, options);
  if (!connection) return connection.error();
  return DatanodeConnection(*std::move(connection), options.write_timeout);
}

ClientResult<pb::BlockOpResponse> DatanodeConnection::exchange(
    const std::string& operation, std::chrono::milliseconds answer_timeout) {
  const ClientStatus sent =
      connection_.send(std::as_bytes(std::span(operation)), Deadline::after(write_timeout_));
  if (!sent) return sent.error();
  auto response =
      receive_value(connection_, received_, Deadline::after(answer_timeout), parse_response);
  if (!response) return response.error();
  received_.consume(response->bytes);
  return std::move(response->value);
}

ClientResult<pb::BlockOpResponse> DatanodeConnection::successful(
    ClientResult<pb::BlockOpResponse> response) const {
  if (!response || response->status() == pb::STATUS_SUCCESS) return response;
  return ClientFailure{ClientFailureKind::remote,
                       connection_.peer().text() + ": answered with status " +
                           std::to_string(response->status()) + ": " + response->message(),
                       {}};
}

}  // namespace tracebed::hdfs
