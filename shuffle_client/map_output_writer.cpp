#include "shuffle_client/map_output_writer.h"

#include <algorithm>
#include <utility>

#include "core/check.h"
#include "protocol/hdfs/chunk_checksums.h"

namespace tracebed::shuffle {

MapOutputWriter::MapOutputWriter(ShuffleChannel channel, Title title)
    : channel_(std::move(channel)),
      title_(title),
      chunk_(std::make_unique_for_overwrite<std::byte[]>(chunk_head_bytes + chunk_bytes_max)) {}

template <class Request>
ClientResult<MapOutputWriter> MapOutputWriter::begin(const hdfs::Endpoint& host,
                                                     const JobToken& token, Title title,
                                                     const Request& request,
                                                     const hdfs::ConnectionOptions& options) {
  auto channel = ShuffleChannel::open(host, token, options);
  if (!channel) return about_output(title, channel.error());
  MapOutputWriter writer(std::move(*channel), title);
  if (const ClientStatus sent = writer.channel_.send(request); !sent) {
    return about_output(title, sent.error());
  }
  if (const ClientStatus answered = writer.receive_answer(); !answered) return answered.error();
  return writer;
}

ClientResult<MapOutputWriter> MapOutputWriter::open(const hdfs::Endpoint& host,
                                                    const JobToken& token, const Put& put,
                                                    const hdfs::ConnectionOptions& options) {
  return begin(host, token, {put.job, put.container}, put, options);
}

ClientResult<MapOutputWriter> MapOutputWriter::open_block(const hdfs::Endpoint& host,
                                                          const JobToken& token, const Keep& keep,
                                                          const hdfs::ConnectionOptions& options) {
  return begin(host, token, {keep.job}, keep, options);
}

Failure MapOutputWriter::about_output(const Title& title, Failure failure) {
  if (!title.container) return failure;
  return about(title.job, *title.container, std::move(failure));
}

ClientStatus MapOutputWriter::receive_answer() {
  const auto fail = [this](FailureKind kind, std::string_view why) {
    return ClientStatus(about_output(failure_of(channel_.host(), kind, why)));
  };
  const ClientResult<Reply> reply = channel_.receive();
  if (!reply) return about_output(reply.error());
  const auto* answer = std::get_if<Answer>(&*reply);
  if (answer == nullptr || answer->index != 0 || answer->length != 0) {
    return fail(FailureKind::protocol, "no answer to what was put");
  }
  if (answer->status == OutputStatus::ok) return std::monostate{};
  return fail(kind_of(answer->status), "the server does not take the output");
}

ClientStatus MapOutputWriter::write(Bytes bytes) {
  TRACEBED_CHECK(bytes.size() <= output_bytes_max - length_, "an output is bounded");
  crc_ = hdfs::continued_crc32c(crc_, bytes);
  length_ += bytes.size();
  while (!bytes.empty()) {
    const Bytes part = bytes.first(std::min(bytes.size(), chunk_bytes_max - chunk_bytes_));
    std::copy(part.begin(), part.end(), chunk_.get() + chunk_head_bytes + chunk_bytes_);
    chunk_bytes_ += part.size();
    bytes = bytes.subspan(part.size());
    if (chunk_bytes_ < chunk_bytes_max) break;
    if (ClientStatus sent = send_chunk(); !sent) return sent;
  }
  return std::monostate{};
}

ClientStatus MapOutputWriter::send_chunk() {
  const std::size_t bytes = std::exchange(chunk_bytes_, 0);
  const auto head = chunk_head(Bytes(chunk_.get() + chunk_head_bytes, bytes));
  std::copy(head.begin(), head.end(), chunk_.get());
  if (!channel_.has_reply()) {
    const ClientStatus sent = channel_.send_bytes(Bytes(chunk_.get(), chunk_head_bytes + bytes));
    if (sent) return sent;
    // The server may have said why before it closed the connection.
    if (sent.error().kind != FailureKind::connection || !channel_.has_reply()) {
      return about_output(sent.error());
    }
  }
  ClientStatus answered = receive_answer();
  if (!answered) return answered;
  return about_output(
      failure_of(channel_.host(), FailureKind::protocol, "an answer before the output's end"));
}

ClientStatus MapOutputWriter::close() {
  if (chunk_bytes_ > 0) {
    if (ClientStatus sent = send_chunk(); !sent) return sent;
  }
  const ClientStatus sent = channel_.send(Commit{length_, crc_});
  if (!sent) return about_output(sent.error());
  return receive_answer();
}

}  // namespace tracebed::shuffle
