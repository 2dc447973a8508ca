// How the log of rounds in a run's folder is written: by which compression, and with a checksum
// that is computed meanwhile.
#pragma once

#include <span>
#include <string_view>

#include "coordinator/config/experiment.h"
#include "protocol/log_file.h"
#include "report/file_checksum.h"

namespace tracebed {

inline LogCompression compression_of(const LogChoice& log) {
  return log.compression == LogChoice::Compression::zstd ? LogCompression::zstd
                                                         : LogCompression::none;
}

class LogChecksum {
 public:
  LogChecksum() = default;
  LogChecksum(const LogChecksum&) = delete;
  LogChecksum& operator=(const LogChecksum&) = delete;

  // For the log's writer, which this outlives.
  ByteObserver observer() {
    return [this](std::span<const std::byte> bytes) {
      builder_.add({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    };
  }
  FileChecksum checksum() const { return builder_.checksum(); }

 private:
  ChecksumBuilder builder_;
};

}  // namespace tracebed
