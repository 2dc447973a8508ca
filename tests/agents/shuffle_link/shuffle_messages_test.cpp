#include "agents/shuffle_link/shuffle_messages.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace tracebed {
namespace {

ShuffleBegin whole_begin() {
  ShuffleBegin begin;
  std::array<std::byte, 32> key{};
  key.fill(std::byte{7});
  begin.key = shuffle::RunKey(key);
  begin.address = "127.0.1.2";
  begin.port = 99;
  begin.folder = "/folder";
  begin.kept_bytes_max = std::uint64_t{5} << 32;
  begin.links = "/links";
  begin.rates = {1'000, std::nullopt, std::chrono::milliseconds(8)};
  begin.limits.connections_max = 12;
  begin.cgroup = ShuffleCgroup{{"run", "node-1.shuffle"}, CgroupLimits{500, 64, 99}, true};
  return begin;
}

TEST(ShuffleMessages, ArriveAsTheyWereSent) {
  const auto decoded = decode_order(encode(ShuffleOrder(whole_begin())));
  ASSERT_TRUE(decoded) << decoded.error().message;
  const auto& begin = std::get<ShuffleBegin>(*decoded);
  const ShuffleBegin sent = whole_begin();
  EXPECT_TRUE(std::ranges::equal(begin.key.bytes(), sent.key.bytes()));
  EXPECT_EQ(begin.address, sent.address);
  EXPECT_EQ(begin.port, sent.port);
  EXPECT_EQ(begin.folder, sent.folder);
  EXPECT_EQ(begin.kept_bytes_max, sent.kept_bytes_max);
  EXPECT_EQ(begin.links, sent.links);
  EXPECT_EQ(begin.rates, sent.rates);
  EXPECT_EQ(begin.limits.connections_max, sent.limits.connections_max);
  EXPECT_EQ(begin.limits.put_timeout, sent.limits.put_timeout);
  EXPECT_EQ(begin.figures_period, sent.figures_period);
  ASSERT_TRUE(begin.cgroup && begin.cgroup->limits);
  EXPECT_EQ(begin.cgroup->name.agent, "node-1.shuffle");
  EXPECT_EQ(begin.cgroup->limits->memory_mib, 64);
  EXPECT_TRUE(begin.cgroup->is_required);
  const ShuffleOrder rates = ShuffleRates{std::nullopt, 5, {}};
  EXPECT_EQ(std::get<ShuffleRates>(*decode_order(encode(rates))), std::get<ShuffleRates>(rates));
  const ShuffleOrder removal = RemoveShuffledJob{0xffffffff};
  EXPECT_EQ(std::get<RemoveShuffledJob>(*decode_order(encode(removal))).job, 0xffffffff);
  const ShuffleFigures figures{1, 2, 3, 4, 5, 6};
  EXPECT_EQ(std::get<ShuffleFigures>(*decode_news(encode(ShuffleNews(figures)))), figures);
  EXPECT_EQ(std::get<ShuffleReady>(*decode_news(encode(ShuffleNews(ShuffleReady{80})))).port, 80);
  const ShuffleNews failed = ShuffleFailed{"no port"};
  EXPECT_EQ(std::get<ShuffleFailed>(*decode_news(encode(failed))).message, "no port");
}

TEST(ShuffleMessages, CutOrLongerAreRefused) {
  const std::vector<ShuffleOrder> orders = {whole_begin(), ShuffleRates{}, RemoveShuffledJob{}};
  for (const ShuffleOrder& order : orders) {
    std::vector<std::byte> packet = encode(order);
    for (std::size_t size = 0; size < packet.size(); ++size) {
      EXPECT_FALSE(decode_order(std::span(packet).first(size)));
    }
    packet.push_back(std::byte{});
    EXPECT_FALSE(decode_order(packet));
  }
}

TEST(ShuffleMessages, OutOfBoundsAreRefused) {
  const auto refused = [](auto spoil) {
    ShuffleBegin begin = whole_begin();
    spoil(begin);
    return !decode_order(encode(ShuffleOrder(std::move(begin))));
  };
  EXPECT_FALSE(refused([](ShuffleBegin&) {}));
  EXPECT_TRUE(refused([](ShuffleBegin& begin) { begin.folder.clear(); }));
  EXPECT_TRUE(refused([](ShuffleBegin& begin) { begin.folder = std::string("a\0b", 3); }));
  EXPECT_TRUE(refused([](ShuffleBegin& begin) { begin.limits.connections_max = 0; }));
  EXPECT_TRUE(refused([](ShuffleBegin& begin) { begin.limits.connections_max = 100'001; }));
  EXPECT_TRUE(refused([](ShuffleBegin& begin) { begin.limits.keepalive = {}; }));
  EXPECT_TRUE(refused([](ShuffleBegin& begin) { begin.kept_bytes_max = UINT64_MAX; }));
  EXPECT_TRUE(refused([](ShuffleBegin& begin) { begin.figures_period = std::chrono::hours(25); }));
  EXPECT_TRUE(refused([](ShuffleBegin& begin) { begin.rates.disk = RateLimits::rate_max + 1; }));
  EXPECT_TRUE(refused([](ShuffleBegin& begin) { begin.rates.seek = -std::chrono::seconds(1); }));
  EXPECT_TRUE(refused([](ShuffleBegin& begin) { begin.cgroup->name.agent = "../a"; }));
  EXPECT_TRUE(refused([](ShuffleBegin& begin) { begin.cgroup->limits->pids = 0; }));
  EXPECT_FALSE(decode_news(encode(ShuffleNews(ShuffleReady{0}))));
}

}  // namespace
}  // namespace tracebed
