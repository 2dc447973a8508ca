#include "agents/shuffle/shuffle_connection.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>

#include "core/visit.h"
#include "system/drawn_number.h"
#include "system/io_parts.h"

namespace tracebed {
namespace {

using Clock = TransferSocket::Clock;
using shuffle::OutputStatus;

shuffle::Nonce drawn_nonce() {
  const std::array<std::uint64_t, 2> numbers = {drawn_number(), drawn_number()};
  shuffle::Nonce nonce;
  static_assert(sizeof(numbers) == sizeof(nonce));
  std::memcpy(nonce.data(), numbers.data(), sizeof(nonce));
  return nonce;
}

}  // namespace

void ShuffleConnection::run() {
  const ShuffleLimits& limits = environment_.limits;
  nonce_ = drawn_nonce();
  const shuffle::Frame greeting = shuffle::frame_of(shuffle::Greeting{nonce_});
  if (!socket_.send(shuffle::Bytes(greeting), limits.write_timeout)) return;
  if (serve_next(limits.read_timeout) == Next::close) return;
  while (serve_next(limits.keepalive) == Next::request) {
  }
}

TransferResult<hdfs::Parsed<shuffle::Request>> ShuffleConnection::receive(
    std::chrono::milliseconds timeout) {
  if (TransferStatus begun = input_.fill(1, Clock::now() + timeout); !begun) return begun.error();
  return input_.next<shuffle::Request>(shuffle::parse_request,
                                       Clock::now() + environment_.limits.read_timeout);
}

ShuffleConnection::Next ShuffleConnection::refuse_malformed() {
  ++environment_.counters.malformed;
  return Next::close;
}

ShuffleConnection::Next ShuffleConnection::serve_next(std::chrono::milliseconds timeout) {
  input_.release();
  const auto parsed = receive(timeout);
  if (!parsed) {
    return parsed.error().failure == TransferFailure::malformed ? refuse_malformed() : Next::close;
  }
  return visit_all(
      parsed->value,
      [&](const OneOf<shuffle::Fetch, shuffle::Put, shuffle::Drop, shuffle::Keep,
                      shuffle::Take> auto& request) {
        const shuffle::Code code = shuffle::signed_code(input_.unread().first(parsed->bytes));
        if (!accept(request.job, parsed->bytes)) return Next::close;
        input_.consume(parsed->bytes);
        return serve(request, code);
      },
      [&](const OneOf<shuffle::Commit, shuffle::Chunk> auto&) { return refuse_malformed(); });
}

bool ShuffleConnection::accept(std::uint32_t job, std::size_t frame_bytes) {
  token_ = shuffle::job_token(environment_.key, job);
  const shuffle::Signature by{token_, nonce_, signed_requests_};
  if (shuffle::is_signed(input_.unread().first(frame_bytes), by)) {
    ++signed_requests_;
    return true;
  }
  ++environment_.counters.denied;
  const shuffle::Frame denial = shuffle::frame_of(shuffle::Denial{});
  if (socket_.send(shuffle::Bytes(denial), environment_.limits.write_timeout)) {
    socket_.drain(environment_.limits.drain_timeout);
  }
  return false;
}

shuffle::Frame ShuffleConnection::answer(const shuffle::Answer& answer,
                                         const shuffle::Code& code) const {
  return shuffle::frame_of(answer, {token_, nonce_, signed_requests_ - 1}, code);
}

ShuffleConnection::Next ShuffleConnection::send_answer(const shuffle::Answer& what,
                                                       const shuffle::Code& code) {
  const shuffle::Frame frame = answer(what, code);
  const bool is_sent =
      socket_.send(shuffle::Bytes(frame), environment_.limits.write_timeout).has_value();
  const bool is_last = !is_sent || what.status == OutputStatus::ending;
  return is_last ? Next::close : Next::request;
}

ShuffleConnection::Next ShuffleConnection::end_with(OutputStatus status,
                                                    const shuffle::Code& code) {
  const shuffle::Frame frame = answer({.status = status}, code);
  if (socket_.send(shuffle::Bytes(frame), environment_.limits.write_timeout)) {
    socket_.drain(environment_.limits.drain_timeout);
  }
  return Next::close;
}

// ---- fetches ----

ShuffleConnection::Next ShuffleConnection::serve(const shuffle::Fetch& fetch,
                                                 const shuffle::Code& code) {
  for (std::size_t i = 0; i < fetch.ranges.size(); ++i) {
    OutputName name{fetch.job, fetch.ranges[i].container, fetch.ranges[i].spill};
    const auto index = static_cast<std::uint16_t>(i);
    auto output = environment_.store.open(name);
    Next next = Next::request;
    if (environment_.is_ending) {
      next = send_answer({index, OutputStatus::ending}, code);
    } else if (!output) {
      next = send_answer({index, output.error().status}, code);
    } else {
      next = send_range(index, fetch.ranges[i], {*output, {.weight = fetch.weight}}, code);
    }
    if (next == Next::close) return next;
  }
  return Next::request;
}

ShuffleConnection::Next ShuffleConnection::send_range(std::uint16_t index,
                                                      const shuffle::OutputRange& range,
                                                      Source source, const shuffle::Code& code) {
  StoredOutput& output = source.output;
  if (range.offset > output.length() || range.length > output.length() - range.offset) {
    return send_answer({index, OutputStatus::beyond_end}, code);
  }
  if (range.length == 0) return send_answer({index, OutputStatus::ok}, code);
  auto rate =
      TransferRate::open(environment_.rates, Traffic::sending, socket_.peer(), source.manner);
  if (!rate) return send_answer({index, OutputStatus::failed}, code);

  const auto buffer = std::make_unique_for_overwrite<std::byte[]>(
      static_cast<std::size_t>(std::min<std::uint64_t>(range.length, shuffle::chunk_bytes_max)));
  // Goes with the first chunk, as most ranges have one.
  shuffle::Frame before = answer({index, OutputStatus::ok, range.length}, code);
  const std::uint64_t end = range.offset + range.length;
  for (std::uint64_t offset = range.offset; offset < end;) {
    const std::span<std::byte> data(buffer.get(), static_cast<std::size_t>(std::min<std::uint64_t>(
                                                      end - offset, shuffle::chunk_bytes_max)));
    if (const OutputDone read = output.read(offset, data); !read) {
      return send_answer({index, read.error().status}, code);
    }
    if (!rate->acquire(data.size())) return send_answer({index, OutputStatus::ending}, code);
    const auto head = shuffle::chunk_head(data);
    std::array<iovec, 3> parts = {part_of(before), part_of(head), part_of(data)};
    if (!socket_.send(parts, environment_.limits.write_timeout)) return Next::close;
    before.clear();
    environment_.counters.bytes_got += data.size();
    offset += data.size();
  }
  return Next::request;
}

ShuffleConnection::Next ShuffleConnection::serve(const shuffle::Take& take,
                                                 const shuffle::Code& code) {
  if (environment_.is_ending) return send_answer({.status = OutputStatus::ending}, code);
  auto block = environment_.kept.open(take.job, take.block);
  if (!block) return send_answer({.status = block.error().status}, code);
  return send_range(0, {.length = block->length()}, {*block, {Medium::memory, take.weight}}, code);
}

// ---- puts, drops and what is kept ----

ShuffleConnection::Next ShuffleConnection::serve(const shuffle::Drop& drop,
                                                 const shuffle::Code& code) {
  environment_.store.drop_spills(drop.job, drop.container);
  return send_answer({}, code);
}

ShuffleConnection::Next ShuffleConnection::serve(const shuffle::Put& put,
                                                 const shuffle::Code& code) {
  return receive_new(environment_.store.create({put.job, put.container, put.spill}),
                     {put.job, shuffle::output_bytes_max, {.weight = put.weight}, code});
}

ShuffleConnection::Next ShuffleConnection::serve(const shuffle::Keep& keep,
                                                 const shuffle::Code& code) {
  const std::uint64_t bytes_max = keep.block.length + shuffle::bytes_behind_block_max;
  return receive_new(environment_.kept.create(keep),
                     {keep.job, bytes_max, {Medium::memory, keep.weight}, code});
}

ShuffleConnection::Next ShuffleConnection::receive_new(OutputResult<OutputDraft> draft,
                                                       const Incoming& incoming) {
  if (environment_.is_ending) return end_with(OutputStatus::ending, incoming.code);
  if (!draft) return end_with(draft.error().status, incoming.code);
  auto rate =
      TransferRate::open(environment_.rates, Traffic::receiving, socket_.peer(), incoming.manner);
  if (!rate) return end_with(OutputStatus::failed, incoming.code);
  if (send_answer({}, incoming.code) == Next::close) return Next::close;
  return receive_output(*draft, *rate, incoming);
}

ShuffleConnection::Next ShuffleConnection::receive_output(OutputDraft& draft, TransferRate& rate,
                                                          const Incoming& incoming) {
  for (;;) {
    const auto parsed = receive(environment_.limits.put_timeout);
    if (environment_.is_ending) return end_with(OutputStatus::ending, incoming.code);
    if (!parsed) {
      const bool is_malformed = parsed.error().failure == TransferFailure::malformed;
      return is_malformed ? refuse_malformed() : Next::close;
    }
    if (const auto* commit = std::get_if<shuffle::Commit>(&parsed->value)) {
      const shuffle::Code own_code = shuffle::signed_code(input_.unread().first(parsed->bytes));
      if (!accept(incoming.job, parsed->bytes)) return Next::close;
      input_.consume(parsed->bytes);
      const OutputDone done = draft.commit(commit->length, commit->crc);
      return send_answer({.status = done ? OutputStatus::ok : done.error().status}, own_code);
    }
    const auto* chunk = std::get_if<shuffle::Chunk>(&parsed->value);
    if (chunk == nullptr || chunk->data.size() > incoming.bytes_max - draft.length()) {
      return refuse_malformed();
    }
    const OutputStatus status = keep(draft, rate, *chunk);
    if (status != OutputStatus::ok) return end_with(status, incoming.code);
    input_.consume(parsed->bytes);
  }
}

OutputStatus ShuffleConnection::keep(OutputDraft& draft, TransferRate& rate,
                                     const shuffle::Chunk& chunk) {
  if (!chunk.is_intact()) return OutputStatus::differs;
  if (!rate.acquire(chunk.data.size())) return OutputStatus::ending;
  const OutputDone written = draft.write(chunk.data);
  if (!written) return written.error().status;
  environment_.counters.bytes_put += chunk.data.size();
  return OutputStatus::ok;
}

}  // namespace tracebed
