#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "agents/launcher/messages.h"

namespace tracebed::launcher {
namespace {

using testing::HasSubstr;

std::vector<std::byte> exit_packet() {
  ExitedRecord record;
  record.container = 5;
  record.cause = ExitCause::timed_out;
  return encode(PacketKind::exited, 1, sizeof(record), &record);
}

TEST(LauncherMessages, ComeBackAsTheyWere) {
  const std::vector<std::byte> bytes = exit_packet();
  const Result<Packet> packet = decode(bytes);
  ASSERT_TRUE(packet) << packet.error().message;
  EXPECT_EQ(packet->count, 1);
  EXPECT_EQ(packet->get<ExitedRecord>(0).container, 5);
  EXPECT_EQ(packet->get<ExitedRecord>(0).cause, ExitCause::timed_out);
  EXPECT_TRUE(decode(encode(PacketKind::hello)));
}

TEST(LauncherMessages, HaveNoMoreProgressThanAllOfAWork) {
  ProgressRecord record{5, 1'000'000};
  const Result<Packet> whole = decode(encode(PacketKind::progress, 1, sizeof(record), &record));
  ASSERT_TRUE(whole) << whole.error().message;
  record.done = 1'000'001;
  const std::vector<std::byte> more = encode(PacketKind::progress, 1, sizeof(record), &record);
  EXPECT_THAT(decode(more).error().message, HasSubstr("a task's progress is at most 1000000"));
}

TEST(LauncherMessages, AreSplitIntoPacketsThatFit) {
  const std::vector<LaunchRecord> records(1'000);
  std::size_t total = 0;
  std::size_t packets = 0;
  encode_all(std::span(records), [&](const std::vector<std::byte>& bytes) {
    EXPECT_LE(bytes.size(), packet_bytes_max);
    total += decode(bytes)->count;
    ++packets;
  });
  EXPECT_EQ(total, 1'000);
  constexpr std::size_t records_per_packet = (packet_bytes_max - 16) / sizeof(LaunchRecord);
  static_assert(records_per_packet > 30);
  EXPECT_EQ(packets, (1'000 + records_per_packet - 1) / records_per_packet);
}

TEST(LauncherMessages, ThatAreWrongSayWhat) {
  struct Case {
    std::size_t offset;
    unsigned char value;
    const char* says;
  };
  // Header: mark at 0, kind at 4, count at 8, record length at 12; the body begins at 16.
  const std::vector<Case> cases = {
      {0, 0, "the mark"},
      {4, 77, "a known kind"},
      {8, 2, "as many records"},
      {12, 1, "records of"},
      {16 + offsetof(ExitedRecord, cause), exit_causes, "exit's cause"},
      {16 + offsetof(ExitedRecord, progress) + 3, 1, "exit's progress is at most 1000000"},
      {16 + offsetof(ExitedRecord, text) + 134, 'x', "zero-terminated"},
  };
  for (const Case& test : cases) {
    std::vector<std::byte> bytes = exit_packet();
    bytes[test.offset] = std::byte{test.value};
    const Result<Packet> packet = decode(bytes);
    ASSERT_FALSE(packet) << test.says;
    EXPECT_THAT(packet.error().message, HasSubstr(test.says));
  }
  EXPECT_FALSE(decode({}));
}

TEST(LauncherMessages, OfAMasterHaveThreeKeysOrNone) {
  const auto decoded = [](const std::string& own, const std::string& secret,
                          const std::string& coordinator) {
    MasterLaunchRecord record;
    own.copy(record.own_public.data(), record.own_public.size());
    secret.copy(record.own_secret.data(), record.own_secret.size());
    coordinator.copy(record.coordinator_key.data(), record.coordinator_key.size());
    return decode(encode(PacketKind::launch_master, 1, sizeof(record), &record)).has_value();
  };
  const std::string key(40, 'k');
  EXPECT_TRUE(decoded("", "", ""));
  EXPECT_TRUE(decoded(key, key, key));
  for (const std::string& bad :
       {std::string(), key.substr(1), key + "k", std::string(40, '~'), std::string(48, 'k')}) {
    EXPECT_FALSE(decoded(bad, key, key)) << bad;
    EXPECT_FALSE(decoded(key, bad, key)) << bad;
    EXPECT_FALSE(decoded(key, key, bad)) << bad;
  }
}

TEST(LauncherMessages, OfALaunchHaveDevicesThatEnd) {
  LaunchRecord record;
  record.devices.fill('d');
  record.devices.back() = 0;
  EXPECT_TRUE(decode(encode(PacketKind::launch, 1, sizeof(record), &record)));
  const std::vector<LaunchRecord> second_is_wrong = [&] {
    std::vector<LaunchRecord> records(2, record);
    records[1].devices.back() = 'd';
    return records;
  }();
  const Result<Packet> packet =
      decode(encode(PacketKind::launch, 2, sizeof(record), second_is_wrong.data()));
  ASSERT_FALSE(packet);
  EXPECT_THAT(packet.error().message, HasSubstr("zero-terminated"));
}

TEST(LauncherMessages, OfSettingsHaveWeightsOnlyWithinALimit) {
  const auto is_taken = [](std::int64_t milli_vcores_of_all, std::int64_t cpu_weights) {
    SettingsRecord record;
    record.milli_vcores_of_all = milli_vcores_of_all;
    record.cpu_weights = cpu_weights;
    return decode(encode(PacketKind::settings, 1, sizeof(record), &record)).has_value();
  };
  EXPECT_TRUE(is_taken(0, 0));
  EXPECT_TRUE(is_taken(1, 0));
  EXPECT_TRUE(is_taken(1, 1));
  EXPECT_TRUE(is_taken(milli_vcores_max, 1));
  EXPECT_FALSE(is_taken(0, 1));
  EXPECT_FALSE(is_taken(-1, 0));
  EXPECT_FALSE(is_taken(milli_vcores_max + 1, 0));
  EXPECT_FALSE(is_taken(1, 2));
  EXPECT_FALSE(is_taken(1, -1));
}

// Every packet cut short anywhere is refused.
TEST(LauncherMessages, CutShortAreRefused) {
  const std::vector<std::byte> bytes = exit_packet();
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    EXPECT_FALSE(decode(std::span(bytes).first(length))) << length;
  }
}

}  // namespace
}  // namespace tracebed::launcher
