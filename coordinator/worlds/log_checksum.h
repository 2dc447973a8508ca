// The checksum of a run's log of rounds, computed while it is written.
#pragma once

#include <span>
#include <string_view>

#include "protocol/log_file.h"
#include "report/file_checksum.h"

namespace tracebed {

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
