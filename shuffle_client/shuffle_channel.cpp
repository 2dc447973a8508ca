#include "shuffle_client/shuffle_channel.h"

#include <utility>

#include "core/visit.h"

namespace tracebed::shuffle {
namespace {

constexpr std::size_t buffer_bytes = 2 * (chunk_bytes_max + chunk_head_bytes);

}  // namespace

ShuffleChannel::ShuffleChannel(hdfs::Connection connection, const JobToken& token,
                               const hdfs::ConnectionOptions& options)
    : connection_(std::move(connection)),
      buffer_(buffer_bytes),
      read_timeout_(options.read_timeout),
      write_timeout_(options.write_timeout),
      weight_(static_cast<std::uint16_t>(options.transfer_weight)),
      token_(token) {}

ClientResult<ShuffleChannel> ShuffleChannel::open(const hdfs::Endpoint& host, const JobToken& token,
                                                  const hdfs::ConnectionOptions& options) {
  auto connection = hdfs::Connection::open(host, options);
  if (!connection) return failure_of(host, connection.error());
  ShuffleChannel channel(std::move(*connection), token, options);
  const ClientResult<Reply> reply = channel.receive();
  if (!reply) return reply.error();
  const auto* greeting = std::get_if<Greeting>(&*reply);
  if (greeting == nullptr) return failure_of(host, FailureKind::protocol, "no greeting");
  channel.nonce_ = greeting->nonce;
  return channel;
}

ClientStatus ShuffleChannel::send_bytes(Bytes bytes) {
  const auto sent = connection_.send(bytes, hdfs::Deadline::after(write_timeout_));
  if (!sent) return failure_of(host(), sent.error());
  return std::monostate{};
}

bool ShuffleChannel::has_reply() const {
  if (buffer_.unread().size() > seen_bytes_) return true;
  const auto ready =
      connection_.wait({.to_receive = true}, hdfs::Deadline::after(std::chrono::milliseconds(0)));
  return ready && ready->to_receive;
}

bool ShuffleChannel::is_to_request(const Answer& answer) const {
  const Bytes frame = buffer_.unread().first(seen_bytes_);
  const auto is_to = [&](std::uint64_t before_last, const Code& code) {
    if (signed_requests_ <= before_last) return false;
    return is_answer_signed(frame, {token_, nonce_, signed_requests_ - 1 - before_last}, code);
  };
  if (is_to(0, code_)) return true;
  // A put that failed while its commit was on the way.
  return answer.status != OutputStatus::ok && is_to(1, code_before_);
}

ClientResult<Reply> ShuffleChannel::receive() {
  buffer_.consume(std::exchange(seen_bytes_, 0));
  const auto parsed =
      hdfs::receive_value(connection_, buffer_, hdfs::Deadline::after(read_timeout_), parse_reply);
  if (!parsed) return failure_of(host(), parsed.error());
  seen_bytes_ = parsed->bytes;
  const auto failure = [this](FailureKind kind, std::string_view why) {
    return ClientResult<Reply>(failure_of(host(), kind, why));
  };
  return visit_all(
      parsed->value,
      [&](const Denial&) {
        return failure(FailureKind::denied, "the server denies that the token is the job's");
      },
      [&](const Answer& answer) {
        if (is_to_request(answer)) return ClientResult<Reply>(Reply(answer));
        return failure(FailureKind::untrusted, "an answer is not by a server of the run");
      },
      [&](const OneOf<Greeting, Chunk> auto& reply) { return ClientResult<Reply>(Reply(reply)); });
}

}  // namespace tracebed::shuffle
