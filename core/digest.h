// A run digest: 128 bits over the sequence of words fed to it. Two runs that decided the same have
// equal digests, on every build type. It detects differences; it does not resist an attacker.
#pragma once

#include <bit>
#include <cstdint>
#include <string>

#include "core/ids.h"
#include "core/time.h"

namespace tracebed {

class Digest {
 public:
  void add(std::uint64_t word) {
    // Two multiply-rotate lanes with odd constants; each lane is a bijection of its state for a
    // given word, so a difference never disappears again.
    low_ = std::rotl((low_ ^ word) * 0x9E3779B97F4A7C15u, 29);
    high_ = std::rotl(high_ + word, 23) * 0xC2B2AE3D27D4EB4Fu;
    ++words_;
  }
  void add(std::int64_t word) { add(static_cast<std::uint64_t>(word)); }
  void add(TraceTime time) { add(static_cast<std::uint64_t>(to_microseconds(time))); }
  template <class Tag>
  void add(Id<Tag> id) {
    add(static_cast<std::uint64_t>(id.value()));
  }

  // 32 hexadecimal digits.
  std::string to_string() const;
  bool operator==(const Digest&) const = default;

 private:
  std::uint64_t low_ = 0x243F6A8885A308D3u;
  std::uint64_t high_ = 0x13198A2E03707344u;
  std::uint64_t words_ = 0;
};

}  // namespace tracebed
