// What a machine's daemon and the shuffle server that it has started say to each other, over a
// SEQPACKET socket that is the server's standard input. The daemon begins with `ShuffleBegin`, and
// the server answers with `ShuffleReady`, or with `ShuffleFailed` and its end. Packets are numbers
// in the machine's byte order, and texts with their length before them; both sides verify all of
// them.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "agents/cgroups/directories.h"
#include "agents/cgroups/limits.h"
#include "agents/shuffle/shuffle_environment.h"
#include "core/result.h"
#include "protocol/shuffle/shuffle_token.h"

namespace tracebed {

// Without shared links. Rates are from 1 to RateLimits::rate_max; none: unlimited.
struct ShuffleRates {
  std::optional<std::uint64_t> disk;
  std::optional<std::uint64_t> network;
  std::chrono::nanoseconds seek{};  // from 0 on
  bool operator==(const ShuffleRates&) const = default;
};

// Of the server, which is in it before it serves.
struct ShuffleCgroup {
  AgentName name;
  std::optional<CgroupLimits> limits;
  // Without cgroups on the machine it warns, and does without, unless it is required.
  bool is_required = false;
};

struct ShuffleBegin {
  shuffle::RunKey key;
  std::string address;     // IPv4
  std::uint16_t port = 0;  // 0: a free one
  std::string folder;
  std::uint64_t kept_bytes_max = 0;  // of blocks that executors keep in memory
  std::string links;                 // the file of SharedLinks; may be empty
  ShuffleRates rates;
  ShuffleLimits limits;  // times from 1 ms to a day
  std::optional<ShuffleCgroup> cgroup;
  std::chrono::milliseconds figures_period = std::chrono::seconds(1);  // likewise
};
struct RemoveShuffledJob {
  std::uint32_t job = 0;
  bool operator==(const RemoveShuffledJob&) const = default;
};
using ShuffleOrder = std::variant<ShuffleBegin, ShuffleRates, RemoveShuffledJob>;

struct ShuffleReady {
  std::uint16_t port = 0;
  bool operator==(const ShuffleReady&) const = default;
};
struct ShuffleFailed {
  std::string message;
  bool operator==(const ShuffleFailed&) const = default;
};
using ShuffleNews = std::variant<ShuffleReady, ShuffleFigures, ShuffleFailed>;

inline constexpr std::size_t shuffle_packet_bytes_max = 16 * 1024;
inline constexpr std::size_t shuffle_text_bytes_max = 4 * 1024;

// Texts that are longer are cut.
std::vector<std::byte> encode(const ShuffleOrder& order);
std::vector<std::byte> encode(const ShuffleNews& news);
// The error is the reason.
Result<ShuffleOrder> decode_order(std::span<const std::byte> packet);
Result<ShuffleNews> decode_news(std::span<const std::byte> packet);

}  // namespace tracebed
