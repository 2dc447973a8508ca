#include "agents/datanode/transfer/mirror.h"

#include "protocol/hdfs/transfer_operation.h"

namespace tracebed {
namespace {

using Clock = TransferSocket::Clock;

}  // namespace

Mirror::Mirror(const TransferEnvironment& environment, const pb::OpWriteBlock& write)
    : environment_(environment),
      write_(write),
      place_(transfer_place(write.targets(0))),
      name_(place_.to_string()),
      socket_(environment.sockets),
      input_(socket_) {}

std::chrono::milliseconds Mirror::read_timeout() const {
  const DataTransferOptions& options = environment_.options;
  return options.read_timeout + options.read_timeout_extension * write_.targets_size();
}

TransferStatus Mirror::open() {
  auto network = NetworkRate::open(environment_.rates, Traffic::passing_on, place_.address,
                                   write_.header().transfer_weight());
  if (!network) return TransferError{TransferFailure::failed, "there are too many transfers"};
  network_.emplace(std::move(*network));
  TransferStatus connected = socket_.connect(place_, environment_.address, read_timeout());
  if (!connected) return connected;
  pb::OpWriteBlock further = write_;
  further.mutable_targets()->DeleteSubrange(0, 1);
  if (further.target_storage_types_size() > 0) {
    further.set_storage_type(further.target_storage_types(0));
    further.mutable_target_storage_types()->erase(further.mutable_target_storage_types()->begin());
  }
  if (further.target_storage_ids_size() > 0) {
    further.set_storage_id(further.target_storage_ids(0));
    further.mutable_target_storage_ids()->DeleteSubrange(0, 1);
  }
  if (further.target_pinnings_size() > 0) {
    further.set_pinning(further.target_pinnings(0));
    further.mutable_target_pinnings()->erase(further.mutable_target_pinnings()->begin());
  }
  std::string operation;
  hdfs::append_operation(operation, further);
  return socket_.send(operation, environment_.options.write_timeout);
}

TransferResult<pb::BlockOpResponse> Mirror::read_reply() {
  return input_.next_message<pb::BlockOpResponse>(reply_bytes_max, Clock::now() + read_timeout());
}

TransferStatus Mirror::send(hdfs::Bytes packets) {
  if (network_ && !network_->acquire(packets.size())) {
    return TransferError{TransferFailure::failed, "the datanode ends"};
  }
  return socket_.send(packets, environment_.options.write_timeout);
}

bool Mirror::has_ack() const {
  return !std::holds_alternative<hdfs::NeedMore>(
      hdfs::parse_delimited(input_.unread(), reply_bytes_max));
}

TransferResult<pb::PipelineAck> Mirror::read_ack() {
  auto ack = input_.next_message<pb::PipelineAck>(reply_bytes_max, Clock::now() + read_timeout());
  if (!ack) return ack;
  const auto replies = static_cast<std::size_t>(ack->reply_size());
  if (replies == 0 || replies > size()) {
    return TransferError{TransferFailure::malformed,
                         "an ack of " + std::to_string(replies) + " datanodes"};
  }
  return ack;
}

}  // namespace tracebed
