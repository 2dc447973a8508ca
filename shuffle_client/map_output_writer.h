// Puts the output of one map task, one of its spills, or a block of input that its executor keeps
// in memory, to the shuffle server of its node. Readers see it once close() has succeeded, and
// nothing of it otherwise.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "shuffle_client/shuffle_channel.h"

namespace tracebed::shuffle {

// One thread uses it. After a failure it can only be destroyed, and the output be put again.
class MapOutputWriter {
 public:
  static ClientResult<MapOutputWriter> open(const hdfs::Endpoint& host, const JobToken& token,
                                            const Put& put, const hdfs::ConnectionOptions& options);
  static ClientResult<MapOutputWriter> open_block(const hdfs::Endpoint& host, const JobToken& token,
                                                  const Keep& keep,
                                                  const hdfs::ConnectionOptions& options);

  // Any number of bytes, output_bytes_max in all (checked).
  ClientStatus write(Bytes bytes);
  // Commits; once.
  ClientStatus close();

  std::uint64_t length() const { return length_; }

 private:
  // What failures are about.
  struct Title {
    std::uint32_t job = 0;
    std::optional<std::uint32_t> container = {};  // none: a block of input
  };
  MapOutputWriter(ShuffleChannel channel, Title title);

  template <class Request>
  static ClientResult<MapOutputWriter> begin(const hdfs::Endpoint& host, const JobToken& token,
                                             Title title, const Request& request,
                                             const hdfs::ConnectionOptions& options);
  ClientStatus send_chunk();
  // Of the server to the request or the commit; only a failing one comes before it was asked for.
  ClientStatus receive_answer();
  static Failure about_output(const Title& title, Failure failure);
  Failure about_output(Failure failure) const { return about_output(title_, std::move(failure)); }

  ShuffleChannel channel_;
  Title title_;
  std::unique_ptr<std::byte[]> chunk_;  // with room for its head
  std::size_t chunk_bytes_ = 0;         // of data
  std::uint64_t length_ = 0;
  std::uint32_t crc_ = 0;
};

}  // namespace tracebed::shuffle
