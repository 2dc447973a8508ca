// Reads a block of input that an executor has kept in memory from the shuffle server of its
// machine.
#pragma once

#include <cstdint>

#include "shuffle_client/shuffle_channel.h"

namespace tracebed::shuffle {

// One thread uses it. After a failure it can only be destroyed.
class KeptBlockReader {
 public:
  // Fails with `unknown_output` if the block is not there.
  static ClientResult<KeptBlockReader> open(const hdfs::Endpoint& host, const JobToken& token,
                                            const Take& take,
                                            const hdfs::ConnectionOptions& options);

  // Of the block, and of what was kept behind it.
  std::uint64_t length() const { return length_; }
  // The next bytes, verified, valid until the next call; empty once all were returned.
  ClientResult<Bytes> next();

 private:
  explicit KeptBlockReader(ShuffleChannel channel) : channel_(std::move(channel)) {}

  ShuffleChannel channel_;
  std::uint64_t length_ = 0;
  std::uint64_t received_ = 0;
};

}  // namespace tracebed::shuffle
