#include "hdfs_client/write_pipeline.h"

#include <algorithm>
#include <utility>

#include "protocol/hdfs/delimited.h"
#include "protocol/hdfs/packet.h"

namespace tracebed::hdfs {
namespace {

constexpr std::size_t acknowledgement_bytes_max = std::size_t{64} << 10;

std::size_t index_of(const std::string& transfer_address_of_bad, const PipelineDatanodes& all) {
  const auto found = std::find_if(all.begin(), all.end(), [&](const PipelineDatanode& datanode) {
    return transfer_address(datanode.info.id()) == transfer_address_of_bad;
  });
  return found == all.end() ? 0 : static_cast<std::size_t>(found - all.begin());
}

void add_targets(pb::OpWriteBlock& operation, const PipelineDatanodes& datanodes) {
  operation.set_pipeline_size(static_cast<std::uint32_t>(datanodes.size()));
  operation.set_storage_type(datanodes.front().storage_type);
  operation.set_storage_id(datanodes.front().storage_id);
  for (std::size_t i = 1; i < datanodes.size(); ++i) {
    *operation.add_targets() = datanodes[i].info;
    operation.add_target_storage_types(datanodes[i].storage_type);
    operation.add_target_storage_ids(datanodes[i].storage_id);
  }
}

// org.apache.hadoop.hdfs.protocol.datatransfer.PipelineAck.getHeaderFlag: newer datanodes put the
// status into the four lowest bits of a flag.
int status_of(const pb::PipelineAck& acknowledgement, int index) {
  constexpr std::uint32_t status_bits = 0xf;
  return acknowledgement.flag_size() > 0
             ? static_cast<int>(acknowledgement.flag(index) & status_bits)
             : static_cast<int>(acknowledgement.reply(index));
}

int statuses(const pb::PipelineAck& acknowledgement) {
  return acknowledgement.flag_size() > 0 ? acknowledgement.flag_size()
                                         : acknowledgement.reply_size();
}

}  // namespace

PipelineDatanodes pipeline_datanodes(const pb::LocatedBlock& block) {
  PipelineDatanodes datanodes;
  for (int i = 0; i < block.locs_size(); ++i) {
    PipelineDatanode& datanode = datanodes.emplace_back();
    datanode.info = block.locs(i);
    if (i < block.storage_ids_size()) datanode.storage_id = block.storage_ids(i);
    if (i < block.storage_types_size()) datanode.storage_type = block.storage_types(i);
  }
  return datanodes;
}

WritePipeline::WritePipeline(DatanodeConnection datanode, std::size_t datanodes,
                             std::chrono::milliseconds write_timeout,
                             std::chrono::milliseconds answer_timeout)
    : datanode_(std::move(datanode)),
      datanodes_(datanodes),
      write_timeout_(write_timeout),
      acknowledgement_timeout_(answer_timeout),
      acknowledgement_due_(Deadline::after(acknowledgement_timeout_)) {}

PipelineFailure WritePipeline::failure(std::size_t bad_datanode, ClientFailureKind kind,
                                       const std::string& reason) const {
  return {bad_datanode, {kind, datanode_.connection().peer().text() + ": " + reason, {}}};
}

// org.apache.hadoop.hdfs.DataStreamer.createBlockOutputStream
PipelineResult<WritePipeline> WritePipeline::open(pb::OpWriteBlock operation,
                                                  const PipelineDatanodes& datanodes,
                                                  const ConnectionOptions& options,
                                                  std::chrono::milliseconds answer_timeout) {
  add_targets(operation, datanodes);
  ClientResult<DatanodeConnection> connection =
      DatanodeConnection::open(datanodes.front().info.id(), options);
  if (!connection) return PipelineFailure{0, connection.error()};
  const auto response = connection->request(operation, answer_timeout);
  if (!response) return PipelineFailure{0, response.error()};
  WritePipeline pipeline(*std::move(connection), datanodes.size(), options.write_timeout,
                         answer_timeout);
  if (response->status() == pb::STATUS_SUCCESS) return pipeline;
  const std::string& bad = response->first_bad_link();
  return pipeline.failure(index_of(bad, datanodes), ClientFailureKind::remote,
                          "the pipeline cannot be set up: status " +
                              std::to_string(response->status()) +
                              (bad.empty() ? "" : " of " + bad) +
                              (response->message().empty() ? "" : ": " + response->message()));
}

PipelineStatus WritePipeline::send(Bytes packet, std::int64_t sequence_number) {
  if (!sent_) acknowledged_ = sequence_number - 1;
  // While all packets have been acknowledged, no acknowledgement is due.
  if (!sent_ || *sent_ == acknowledged_) {
    acknowledgement_due_ = Deadline::after(acknowledgement_timeout_);
  }
  sent_ = sequence_number;
  const Deadline deadline = Deadline::after(write_timeout_);
  while (!packet.empty()) {
    const auto ready = datanode_.connection().wait({.to_receive = true, .to_send = true}, deadline);
    if (!ready) return PipelineFailure{0, ready.error()};
    if (!ready->to_receive && !ready->to_send) {
      return failure(0, ClientFailureKind::timeout, "a packet cannot be sent: timed out");
    }
    if (ready->to_receive) {
      if (const PipelineStatus read = read_acknowledgements(); !read) return read;
    }
    if (!ready->to_send) continue;
    const ClientResult<std::size_t> sent = datanode_.connection().try_send(packet);
    if (!sent) return PipelineFailure{0, sent.error()};
    packet = packet.subspan(*sent);
  }
  return PipelineStatus(std::monostate{});
}

PipelineResult<bool> WritePipeline::wait_for_acknowledgement(const Deadline& deadline) {
  const std::int64_t before = acknowledged_;
  while (acknowledged_ == before) {
    const auto ready = datanode_.connection().wait({.to_receive = true}, deadline);
    if (!ready) return PipelineFailure{0, ready.error()};
    if (!ready->to_receive) return false;
    if (const PipelineStatus read = read_acknowledgements(); !read) return read.error();
  }
  return true;
}

PipelineFailure WritePipeline::overdue() const {
  return failure(0, ClientFailureKind::timeout, "an acknowledgement is overdue");
}

PipelineStatus WritePipeline::read_acknowledgements() {
  ReceiveBuffer& received = datanode_.received();
  const ClientStatus arrived = received.try_receive(datanode_.connection());
  // Acknowledgements that came before the connection broke count.
  while (true) {
    const ParseResult<Bytes> parsed = parse_delimited(received.unread(), acknowledgement_bytes_max);
    if (std::holds_alternative<NeedMore>(parsed)) break;
    const auto* message = std::get_if<Parsed<Bytes>>(&parsed);
    pb::PipelineAck acknowledgement;
    if (message == nullptr || !parse_message(message->value, acknowledgement)) {
      return failure(0, ClientFailureKind::protocol, "an acknowledgement cannot be parsed");
    }
    received.consume(message->bytes);
    if (const PipelineStatus accepted = accept(acknowledgement); !accepted) return accepted;
  }
  if (!arrived) return PipelineFailure{0, arrived.error()};
  return PipelineStatus(std::monostate{});
}

// org.apache.hadoop.hdfs.DataStreamer.ResponseProcessor.run: of several datanodes that report a
// failure, the last one is at fault.
PipelineStatus WritePipeline::accept(const pb::PipelineAck& acknowledgement) {
  for (int i = statuses(acknowledgement) - 1; i >= 0; --i) {
    if (status_of(acknowledgement, i) == pb::STATUS_SUCCESS) continue;
    const std::size_t bad = std::min(static_cast<std::size_t>(i), datanodes_ - 1);
    return failure(bad, ClientFailureKind::remote,
                   "datanode " + std::to_string(i) + " of the pipeline acknowledges with status " +
                       std::to_string(status_of(acknowledgement, i)));
  }
  if (acknowledgement.seqno() == heartbeat_sequence_number) {
    return PipelineStatus(std::monostate{});
  }
  if (static_cast<std::size_t>(statuses(acknowledgement)) != datanodes_) {
    return failure(0, ClientFailureKind::protocol,
                   std::to_string(statuses(acknowledgement)) + " of " + std::to_string(datanodes_) +
                       " datanodes acknowledge a packet");
  }
  if (!sent_ || acknowledgement.seqno() > *sent_ || acknowledgement.seqno() != acknowledged_ + 1) {
    return failure(
        0, ClientFailureKind::protocol,
        "packet " + std::to_string(acknowledgement.seqno()) + " is acknowledged out of order");
  }
  acknowledged_ = acknowledgement.seqno();
  acknowledgement_due_ = Deadline::after(acknowledgement_timeout_);
  return PipelineStatus(std::monostate{});
}

}  // namespace tracebed::hdfs
