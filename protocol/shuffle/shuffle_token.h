// Who may fetch and put the outputs of a job: whoever knows its token, which is derived from the
// run's key (org.apache.hadoop.mapreduce.security.token.JobTokenSecretManager and
// SecureShuffleUtils). Codes are HMAC-SHA256 (RFC 2104, FIPS 180-4).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>

#include "protocol/hdfs/parse_result.h"

namespace tracebed::shuffle {

using hdfs::Bytes;

// 32 secret bytes, which are overwritten when they are no longer needed. It is not printed, and no
// part of a command line.
template <class Tag>
class Secret {
 public:
  static constexpr std::size_t size = 32;

  Secret() = default;
  explicit Secret(std::span<const std::byte, size> bytes) {
    for (std::size_t i = 0; i < size; ++i) bytes_[i] = bytes[i];
  }
  Secret(const Secret&) = default;
  Secret& operator=(const Secret&) = default;
  ~Secret();

  std::span<const std::byte, size> bytes() const { return bytes_; }

 private:
  std::array<std::byte, size> bytes_{};
};

using RunKey = Secret<struct RunKeyTag>;      // known to the run's servers
using JobToken = Secret<struct JobTokenTag>;  // to the tasks of one job, too

using Code = std::array<std::byte, 32>;

// HMAC-SHA256 by the run's key of "job" and the job's number, little endian.
JobToken job_token(const RunKey& key, std::uint32_t job);

// Of all parts as if they were one text.
Code code_of(const JobToken& token, std::initializer_list<Bytes> parts);
// Takes the same time for all codes.
bool is_equal(const Code& code, std::span<const std::byte, std::tuple_size_v<Code>> other);

}  // namespace tracebed::shuffle
