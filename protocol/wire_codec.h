// Messages between coordinator and agent (protocol/wire_messages.h) to and from bytes.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "core/result.h"
#include "protocol/wire_messages.h"

namespace tracebed::wire {

// Turns messages into bytes. One encoder is reused for many messages to keep its memory.
class Encoder {
 public:
  Encoder();
  ~Encoder();
  Encoder(Encoder&&) noexcept;
  Encoder& operator=(Encoder&&) noexcept;

  // The bytes are valid until the next call. The message must keep the bounds of wire_messages.h
  // (checked); reasons and diagnostics are cut to text_bytes_max.
  std::span<const std::byte> encode(const Message& message);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// True if the job fits into one message; a job with very many different tasks may not.
bool can_encode(const MasterJob& job);

// The message in `bytes`, which come from the network and are not trusted: structure, bounds and
// value ranges are verified. The error is the reason; nothing of the message may be used then. A
// Hello of another protocol version decodes as far as its version and agent name, so that it can be
// refused with a reason.
Result<Message> decode(std::span<const std::byte> bytes);

}  // namespace tracebed::wire
