#include "agents/launcher/messages.h"

#include <optional>
#include <string>

#include "core/preemption.h"
#include "system/key_file.h"

namespace tracebed::launcher {
namespace {

constexpr std::uint32_t magic = 0x384c4254;  // "TBL8"; the digit is the layout's version

struct Header {
  std::uint32_t magic = launcher::magic;
  PacketKind kind = PacketKind::hello;
  std::uint16_t unused = 0;
  std::uint32_t count = 0;
  std::uint32_t record_bytes = 0;
};
static_assert(sizeof(Header) == 16);

std::optional<std::size_t> record_bytes_of(PacketKind kind) {
  switch (kind) {
    case PacketKind::hello:
    case PacketKind::query_usage:
    case PacketKind::shutdown:
      return 0;
    case PacketKind::launch:
      return sizeof(LaunchRecord);
    case PacketKind::launch_master:
      return sizeof(MasterLaunchRecord);
    case PacketKind::release:
      return sizeof(ReleaseRecord);
    case PacketKind::kill:
      return sizeof(KillRecord);
    case PacketKind::checkpoint:
      return sizeof(CheckpointRecord);
    case PacketKind::acknowledge:
      return sizeof(AcknowledgeRecord);
    case PacketKind::settings:
      return sizeof(SettingsRecord);
    case PacketKind::started:
      return sizeof(StartedRecord);
    case PacketKind::exited:
      return sizeof(ExitedRecord);
    case PacketKind::state:
      return sizeof(StateRecord);
    case PacketKind::usage:
      return sizeof(UsageRecord);
    case PacketKind::progress:
      return sizeof(ProgressRecord);
  }
  return std::nullopt;
}

// An enumeration read from outside its range would not be a value of its type. So the byte is
// looked at before it is one.
std::optional<Error> check_byte(const Packet& packet, std::size_t record_bytes, std::size_t offset,
                                std::size_t values, std::string_view what) {
  for (std::size_t i = 0; i < packet.count; ++i) {
    const auto value = std::to_integer<std::size_t>(packet.records[i * record_bytes + offset]);
    if (value >= values) {
      return Error{"a " + std::string(what) + " is below " + std::to_string(values) + ", got " +
                   std::to_string(value)};
    }
  }
  return std::nullopt;
}

std::optional<Error> check_launches(const Packet& packet) {
  constexpr std::size_t last = offsetof(LaunchRecord, devices) + sizeof(LaunchRecord::devices) - 1;
  for (std::size_t i = 0; i < packet.count; ++i) {
    if (packet.records[i * sizeof(LaunchRecord) + last] != std::byte{0}) {
      return Error{"the devices of a launch are zero-terminated, got some that are not"};
    }
  }
  return std::nullopt;
}

std::optional<Error> check_masters(const Packet& packet) {
  for (std::size_t i = 0; i < packet.count; ++i) {
    const auto record = packet.get<MasterLaunchRecord>(i);
    if (record.run.back() != 0 || record.coordinator.back() != 0 || record.address.back() != 0) {
      return Error{"a master's texts are zero-terminated, got one that is not"};
    }
    for (const auto& key : {record.own_public, record.own_secret, record.coordinator_key}) {
      const bool has_key = key.back() == 0 && is_key(key.data());
      if (record.has_keys() ? has_key : key.front() == 0) continue;
      return Error{"a master has three keys of 40 characters of Z85 or none, got others"};
    }
  }
  return std::nullopt;
}

template <class Record>
std::optional<Error> check_run(const Packet& packet) {
  for (std::size_t i = 0; i < packet.count; ++i) {
    if (packet.get<Record>(i).run.back() != 0) {
      return Error{"a run's name is zero-terminated, got one that is not"};
    }
  }
  return std::nullopt;
}

std::optional<Error> check_settings(const Packet& packet) {
  for (std::size_t i = 0; i < packet.count; ++i) {
    const auto record = packet.get<SettingsRecord>(i);
    if (record.namenode.back() != 0 || record.address.back() != 0 || record.rack.back() != 0) {
      return Error{"the texts of settings are zero-terminated, got one that is not"};
    }
    const bool has_vcores =
        record.milli_vcores_of_all >= 0 && record.milli_vcores_of_all <= milli_vcores_max;
    const bool has_weights = record.cpu_weights == 1 && record.milli_vcores_of_all > 0;
    if (!has_vcores || (record.cpu_weights != 0 && !has_weights)) {
      return Error{"expected a limit of all containers' CPU time of 0 to " +
                   std::to_string(milli_vcores_max) +
                   " milli-vcores, and weights only within one, got " +
                   std::to_string(record.milli_vcores_of_all) + " and weights " +
                   std::to_string(record.cpu_weights)};
    }
  }
  return check_run<SettingsRecord>(packet);
}

std::optional<Error> check_progress(const Packet& packet) {
  for (std::size_t i = 0; i < packet.count; ++i) {
    const std::uint32_t done = packet.get<ProgressRecord>(i).done;
    if (done > whole_work) {
      return Error{"a task's progress is at most " + std::to_string(whole_work) + ", got " +
                   std::to_string(done)};
    }
  }
  return std::nullopt;
}

std::optional<Error> check_values(const Packet& packet) {
  if (packet.kind == PacketKind::settings) return check_settings(packet);
  if (packet.kind == PacketKind::state) {
    if (const std::size_t run = offsetof(StateRecord, run) + sizeof(StateRecord::run);
        packet.count != 1 || packet.records[run - 1] != std::byte{0}) {
      return Error{"one state with a zero-terminated run is expected, got another"};
    }
    return check_byte(packet, sizeof(StateRecord), offsetof(StateRecord, isolation), isolations,
                      "state's isolation");
  }
  if (packet.kind == PacketKind::launch) return check_launches(packet);
  if (packet.kind == PacketKind::launch_master) return check_masters(packet);
  if (packet.kind == PacketKind::progress) return check_progress(packet);
  if (packet.kind != PacketKind::exited) return std::nullopt;
  constexpr std::size_t bytes = sizeof(ExitedRecord);
  for (std::size_t i = 0; i < packet.count; ++i) {
    const std::size_t last = offsetof(ExitedRecord, text) + sizeof(ExitedRecord::text) - 1;
    if (packet.records[i * bytes + last] != std::byte{0}) {
      return Error{"an exit's text is zero-terminated, got none"};
    }
    std::uint32_t progress = 0;
    std::memcpy(&progress, packet.records.data() + i * bytes + offsetof(ExitedRecord, progress),
                sizeof(progress));
    if (progress > whole_work) {
      return Error{"an exit's progress is at most " + std::to_string(whole_work) + ", got " +
                   std::to_string(progress)};
    }
  }
  return check_byte(packet, bytes, offsetof(ExitedRecord, cause), exit_causes, "exit's cause");
}

}  // namespace

Result<Packet> decode(std::span<const std::byte> bytes) {
  const auto wrong = [](const std::string& expected, std::uint64_t got) {
    return Error{"expected " + expected + ", got " + std::to_string(got)};
  };
  if (bytes.size() < sizeof(Header) || bytes.size() > packet_bytes_max) {
    return wrong("a packet of 16 to " + std::to_string(packet_bytes_max) + " bytes", bytes.size());
  }
  Header header;
  std::memcpy(&header, bytes.data(), sizeof(header));
  if (header.magic != magic) return wrong("the mark " + std::to_string(magic), header.magic);
  const std::optional<std::size_t> record_bytes = record_bytes_of(header.kind);
  if (!record_bytes) {
    return wrong("a known kind of packet", static_cast<std::uint64_t>(header.kind));
  }
  if (header.record_bytes != *record_bytes) {
    return wrong("records of " + std::to_string(*record_bytes) + " bytes", header.record_bytes);
  }
  const std::size_t body_bytes = bytes.size() - sizeof(Header);
  if (std::uint64_t{header.count} * header.record_bytes != body_bytes ||
      (header.record_bytes == 0) != (header.count == 0)) {
    return wrong("as many records as fit the packet's length", header.count);
  }
  const Packet packet{header.kind, header.count, bytes.subspan(sizeof(Header))};
  if (const auto error = check_values(packet)) return *error;
  return packet;
}

std::vector<std::byte> encode(PacketKind kind, std::size_t count, std::size_t record_bytes,
                              const void* records) {
  Header header;
  header.kind = kind;
  header.count = static_cast<std::uint32_t>(count);
  header.record_bytes = static_cast<std::uint32_t>(record_bytes);
  const std::size_t body_bytes = count * record_bytes;
  TRACEBED_CHECK(sizeof(header) + body_bytes <= packet_bytes_max, "a packet has a bounded length");
  std::vector<std::byte> bytes(sizeof(header) + body_bytes);
  std::memcpy(bytes.data(), &header, sizeof(header));
  if (body_bytes > 0) std::memcpy(bytes.data() + sizeof(header), records, body_bytes);
  return bytes;
}

}  // namespace tracebed::launcher
