// A connection of a shuffle server: its requests, one after another
// (org.apache.hadoop.mapred.ShuffleHandler.Shuffle).
#pragma once

#include <cstdint>
#include <optional>

#include "agents/datanode/transfer/transfer_input.h"
#include "agents/datanode/transfer/transfer_socket.h"
#include "agents/shuffle/shuffle_environment.h"
#include "protocol/shuffle/shuffle_frames.h"

namespace tracebed {

class ShuffleConnection {
 public:
  ShuffleConnection(const ShuffleEnvironment& environment, TransferSocket& socket)
      : environment_(environment), socket_(socket), input_(socket) {}

  // Until the connection is of no more use.
  void run();

 private:
  enum class Next : std::uint8_t { request, close };

  // The next frame, and its bytes in the input until they are consumed.
  TransferResult<hdfs::Parsed<shuffle::Request>> receive(std::chrono::milliseconds timeout);
  Next serve_next(std::chrono::milliseconds timeout);
  Next serve(const shuffle::Fetch& fetch, const shuffle::Code& code);
  Next serve(const shuffle::Put& put, const shuffle::Code& code);
  Next serve(const shuffle::Drop& drop, const shuffle::Code& code);
  Next serve(const shuffle::Keep& keep, const shuffle::Code& code);
  Next serve(const shuffle::Take& take, const shuffle::Code& code);

  // Whether the frame at the input's begin is signed by the job's token; otherwise it is denied.
  bool accept(std::uint32_t job, std::size_t frame_bytes);
  Next refuse_malformed();

  // The answer to the last signed request, for the job that it names.
  shuffle::Frame answer(const shuffle::Answer& answer, const shuffle::Code& code) const;
  Next send_answer(const shuffle::Answer& answer, const shuffle::Code& code);
  // An answer upon which nothing more is read.
  Next end_with(shuffle::OutputStatus status, const shuffle::Code& code);
  // What a range is of.
  struct Source {
    StoredOutput& output;
    TransferManner manner = {};
  };
  Next send_range(std::uint16_t index, const shuffle::OutputRange& range, Source source,
                  const shuffle::Code& code);
  // What is put or kept.
  struct Incoming {
    std::uint32_t job = 0;
    std::uint64_t bytes_max = 0;
    TransferManner manner = {};
    shuffle::Code code = {};  // of the request
  };
  Next receive_new(OutputResult<OutputDraft> draft, const Incoming& incoming);
  Next receive_output(OutputDraft& draft, TransferRate& rate, const Incoming& incoming);
  shuffle::OutputStatus keep(OutputDraft& draft, TransferRate& rate, const shuffle::Chunk& chunk);

  const ShuffleEnvironment& environment_;
  TransferSocket& socket_;
  TransferInput input_;
  shuffle::Nonce nonce_{};
  std::uint64_t signed_requests_ = 0;
  shuffle::JobToken token_;  // of the job of the last signed request
};

}  // namespace tracebed
