// Puts the output of one map task, or one of its spills, to the shuffle server of its node. Readers
// see it once close() has succeeded, and nothing of it otherwise.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "shuffle_client/shuffle_channel.h"

namespace tracebed::shuffle {

// One thread uses it. After a failure it can only be destroyed, and the output be put again.
class MapOutputWriter {
 public:
  static ClientResult<MapOutputWriter> open(const hdfs::Endpoint& host, const JobToken& token,
                                            const Put& put, const hdfs::ConnectionOptions& options);

  // Any number of bytes, output_bytes_max in all (checked).
  ClientStatus write(Bytes bytes);
  // Commits; once.
  ClientStatus close();

  std::uint64_t length() const { return length_; }

 private:
  MapOutputWriter(ShuffleChannel channel, const Put& put);

  ClientStatus begin();
  ClientStatus send_chunk();
  // Of the server to the put or the commit; only a failing one comes before it was asked for.
  ClientStatus receive_answer();
  Failure about_output(Failure failure) const;

  ShuffleChannel channel_;
  Put put_;
  std::unique_ptr<std::byte[]> chunk_;  // with room for its head
  std::size_t chunk_bytes_ = 0;         // of data
  std::uint64_t length_ = 0;
  std::uint32_t crc_ = 0;
};

}  // namespace tracebed::shuffle
