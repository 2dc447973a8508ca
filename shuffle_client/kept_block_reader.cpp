#include "shuffle_client/kept_block_reader.h"

#include <utility>

namespace tracebed::shuffle {

ClientResult<KeptBlockReader> KeptBlockReader::open(const hdfs::Endpoint& host,
                                                    const JobToken& token, const Take& take,
                                                    const hdfs::ConnectionOptions& options) {
  auto channel = ShuffleChannel::open(host, token, options);
  if (!channel) return channel.error();
  KeptBlockReader reader(std::move(*channel));
  if (const ClientStatus sent = reader.channel_.send(take); !sent) return sent.error();
  const ClientResult<Reply> reply = reader.channel_.receive();
  if (!reply) return reply.error();
  const auto* answer = std::get_if<Answer>(&*reply);
  if (answer == nullptr || answer->index != 0) {
    return failure_of(host, FailureKind::protocol, "no answer to what is taken");
  }
  if (answer->status != OutputStatus::ok) {
    return failure_of(host, kind_of(answer->status), "the server has not the block");
  }
  reader.length_ = answer->length;
  return reader;
}

ClientResult<Bytes> KeptBlockReader::next() {
  if (received_ == length_) return Bytes();
  const auto fail = [this](FailureKind kind, std::string_view why) {
    return failure_of(channel_.host(), kind, why);
  };
  const ClientResult<Reply> reply = channel_.receive();
  if (!reply) return reply.error();
  if (const auto* answer = std::get_if<Answer>(&*reply)) {
    if (answer->status == OutputStatus::ok) {
      return fail(FailureKind::protocol, "an answer in the middle of a block");
    }
    return fail(kind_of(answer->status), "the server cannot read all of the block");
  }
  const auto* chunk = std::get_if<Chunk>(&*reply);
  if (chunk == nullptr || chunk->data.size() > length_ - received_) {
    return fail(FailureKind::protocol, "more than the block");
  }
  if (!chunk->is_intact()) return fail(FailureKind::corrupt, "bytes differ from their checksum");
  received_ += chunk->data.size();
  return chunk->data;
}

}  // namespace tracebed::shuffle
