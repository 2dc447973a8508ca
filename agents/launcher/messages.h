// The messages between an agent and its launcher over a UNIX SEQPACKET socket on one machine. One
// packet is a header and `count` records of one fixed layout, in the machine's byte order. Each
// side uses the other's packets only after decode() has verified them.
//
// The agent opens with `hello` and receives, in any number of packets, the running containers
// (`started`) and the exits it has not acknowledged (`exited`), then `state`, which ends the
// answer. Afterwards it sends `launch`, `launch_master`, `release`, `kill`, `checkpoint`,
// `acknowledge`, `query_usage`, `settings` and `shutdown`, and receives `started`, `exited`,
// `progress` and `usage`, the last two when it asks for usage. A launch of a known container is
// ignored, as are a release, a kill and a checkpoint of an unknown one, so repeats are harmless. A
// kill and a checkpoint begin a new period of the container's CPU quota, so that a container that
// has used up its quota receives them at once.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include "core/check.h"
#include "core/devices.h"
#include "core/result.h"
#include "core/shuffle.h"
#include "core/task_account.h"
#include "core/task_work.h"

namespace tracebed::launcher {

enum class PacketKind : std::uint16_t {
  // from the agent
  hello = 1,
  launch,
  launch_master,
  release,
  kill,
  checkpoint,
  acknowledge,
  query_usage,
  settings,
  shutdown,
  // from the launcher
  started,
  exited,
  state,
  usage,
  progress,
};

inline constexpr std::int64_t milli_vcores_max = 1'000'000'000;  // of a container, and of all

struct LaunchRecord {
  static constexpr PacketKind kind = PacketKind::launch;
  std::uint32_t container = 0;
  std::uint32_t threads = 1;
  std::int64_t milli_vcores = 0;
  std::int64_t memory_mib = 0;
  std::int64_t pids = 0;
  TaskWorkNumbers work = {};       // in wall time
  std::int64_t time_limit_us = 0;  // of work; 0: none
  std::int64_t held = 0;           // 1: the process starts, its work waits for its release
  // Maximum above which the task is killed, by checks at the interval below; 0: no checks.
  std::int64_t virtual_memory_limit_mib = 0;
  std::int64_t memory_look_us = 0;
  // By which shuffle servers know it; only if its work shuffles, else zeros.
  std::array<std::byte, shuffle_key_bytes> shuffle_token = {};
  // For its environment (device_variable); zero-terminated, empty if it has none.
  std::array<char, device_text_bytes_max + 1> devices = {};
};

// An application's master: tracebed-appmaster instead of tracebed-task. Texts are zero-terminated.
struct MasterLaunchRecord {
  static constexpr PacketKind kind = PacketKind::launch_master;
  std::uint32_t container = 0;
  std::uint32_t application = 0;
  std::uint32_t attempt = 1;
  std::uint32_t unused = 0;
  std::int64_t milli_vcores = 0;
  std::int64_t memory_mib = 0;
  std::int64_t pids = 0;
  std::uint64_t epoch = 0;
  std::uint64_t session = 0;
  std::array<char, 128> run = {};
  std::array<char, 256> coordinator = {};  // its endpoint
  std::array<char, 64> address = {};       // source address of the connection to it; may be empty
  // Its credentials; all three or none.
  std::array<char, 48> own_public = {};
  std::array<char, 48> own_secret = {};
  std::array<char, 48> coordinator_key = {};

  bool has_keys() const { return own_public.front() != 0; }
};

// The work of a held container begins.
struct ReleaseRecord {
  static constexpr PacketKind kind = PacketKind::release;
  std::uint32_t container = 0;
};

struct KillRecord {
  static constexpr PacketKind kind = PacketKind::kill;
  std::uint32_t container = 0;
};

// The task keeps its progress and ends.
struct CheckpointRecord {
  static constexpr PacketKind kind = PacketKind::checkpoint;
  std::uint32_t container = 0;
};

// Every exit up to this sequence number may be forgotten.
struct AcknowledgeRecord {
  static constexpr PacketKind kind = PacketKind::acknowledge;
  std::uint64_t exits_up_to = 0;
};

struct SettingsRecord {
  static constexpr PacketKind kind = PacketKind::settings;
  std::int64_t orphan_grace_us = 0;  // without an agent, containers are ended after this long
  // Of the CPU time of all containers together, in thousandths of a CPU; 0: no limit.
  std::int64_t milli_vcores_of_all = 0;
  // 1: containers from now on share that by weight, and have no limit of their own.
  std::int64_t cpu_weights = 0;
  std::array<char, 128> run = {};  // the run of containers from now on; kept for the next agent
  // How tasks reach HDFS (InputSource of agents/task/work_spec.h); zero-terminated.
  std::array<char, 256> namenode = {};
  std::array<char, 256> address = {};
  std::array<char, 256> rack = {};
};

struct StartedRecord {
  static constexpr PacketKind kind = PacketKind::started;
  std::uint32_t container = 0;
  std::int32_t process = 0;  // 0 in an answer to hello: accepted, about to be started
  std::int64_t at_ns = 0;    // CLOCK_REALTIME
};

enum class ExitCause : std::uint8_t {
  by_itself,      // exit code or signal as given
  out_of_memory,  // the kernel killed it at its memory limit
  timed_out,
  killed,                   // the agent requested it
  orphaned,                 // no agent came back in time, or the launcher ended
  launch_failed,            // `text` is the reason; it never ran
  checkpointed,             // the agent requested it, and `progress` was kept
  virtual_memory_exceeded,  // killed for what it had mapped; `text` has the figure
};
inline constexpr std::size_t exit_causes = 8;

struct ExitedRecord {
  static constexpr PacketKind kind = PacketKind::exited;
  std::uint64_t sequence = 0;   // ascending, also from one launcher of an agent to the next
  std::int64_t started_ns = 0;  // CLOCK_REALTIME; equal to ended_ns if it never ran
  std::int64_t ended_ns = 0;
  std::int64_t cpu_time_us = 0;
  std::int64_t memory_peak_bytes = 0;
  std::int64_t bytes_read = 0;  // storage traffic
  std::int64_t bytes_written = 0;
  TaskAccount account;  // as the task reported it
  std::uint32_t container = 0;
  std::int32_t exit_code = 0;
  std::int32_t signal = 0;
  std::uint32_t progress = 0;  // of its work, in millionths; 0 unless it was checkpointed
  ExitCause cause = ExitCause::by_itself;
  std::array<char, 135> text = {};  // zero-terminated
};
static_assert(std::has_unique_object_representations_v<ExitedRecord>, "no bytes between fields");

enum class Isolation : std::uint8_t { none, cgroup_v1, cgroup_v2 };
inline constexpr std::size_t isolations = 3;

struct StateRecord {
  static constexpr PacketKind kind = PacketKind::state;
  Isolation isolation = Isolation::none;
  std::array<char, 128> run = {};  // of the last settings; empty: none were received
};

// All containers since the launcher began.
struct UsageRecord {
  static constexpr PacketKind kind = PacketKind::usage;
  std::int64_t at_ns = 0;  // CLOCK_MONOTONIC
  std::int64_t cpu_time_us = 0;
  std::int64_t memory_bytes = 0;
};

// How far a running task is that states it, not more often than its work has it.
struct ProgressRecord {
  static constexpr PacketKind kind = PacketKind::progress;
  std::uint32_t container = 0;
  std::uint32_t done = 0;  // in millionths, at most whole_work
};

inline constexpr std::size_t packet_bytes_max = 32'768;

// One verified packet. Its bytes are the receive buffer's and are valid until the next receive.
struct Packet {
  PacketKind kind = PacketKind::hello;
  std::uint32_t count = 0;
  std::span<const std::byte> records;

  template <class Record>
  Record get(std::size_t index) const {
    TRACEBED_CHECK(kind == Record::kind && index < count, "a packet's records are of its kind");
    Record record;
    std::memcpy(&record, records.data() + index * sizeof(Record), sizeof(Record));
    return record;
  }
};

// Verifies length, version, kind, count and the enumerations inside. The error is the reason.
Result<Packet> decode(std::span<const std::byte> bytes);

// A packet of `count` records that lie at `records`.
std::vector<std::byte> encode(PacketKind kind, std::size_t count, std::size_t record_bytes,
                              const void* records);

template <class Record>
inline constexpr std::size_t records_max = (packet_bytes_max - 16) / sizeof(Record);

// Calls `take(packet)` with as many packets as the records need.
template <class Record, class Take>
void encode_all(std::span<const Record> records, Take take) {
  static_assert(std::is_trivially_copyable_v<Record>);
  while (!records.empty()) {
    const std::size_t count = std::min(records.size(), records_max<Record>);
    take(encode(Record::kind, count, sizeof(Record), records.data()));
    records = records.subspan(count);
  }
}

inline std::vector<std::byte> encode(PacketKind kind) {
  return encode(kind, 0, 0, nullptr);
}

}  // namespace tracebed::launcher
