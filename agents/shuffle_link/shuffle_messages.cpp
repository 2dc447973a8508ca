#include "agents/shuffle_link/shuffle_messages.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "agents/cgroups/cgroup_tree.h"
#include "agents/datanode/rate_share.h"
#include "core/visit.h"
#include "protocol/shuffle/shuffle_frames.h"

namespace tracebed {
namespace {

constexpr std::uint32_t packet_mark = 0x31485354;  // "TSH1"; the digit is the layout's version

// Encoding and decoding are one list of fields (`pass`), of a writer or of a reader.
class PacketWriter {
 public:
  template <class T>
  requires std::is_arithmetic_v<T>
  void pass(const T& number) { append(std::as_bytes(std::span(&number, std::size_t{1}))); }
  void pass(const std::string& text) {
    const auto bytes = std::min(text.size(), shuffle_text_bytes_max);
    pass(static_cast<std::uint16_t>(bytes));
    append(std::as_bytes(std::span(text)).first(bytes));
  }
  void pass_key(const shuffle::RunKey& key) { append(key.bytes()); }
  void expect(bool /*is_valid*/, const char* /*what*/) {}

  std::vector<std::byte> take() { return std::move(bytes_); }

 private:
  void append(std::span<const std::byte> bytes) {
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
  }

  std::vector<std::byte> bytes_;
};

// After the first failure everything that is read is empty.
class PacketReader {
 public:
  explicit PacketReader(std::span<const std::byte> packet) : rest_(packet) {}

  template <class T>
  requires std::is_arithmetic_v<T>
  void pass(T& number) {
    const auto bytes = next(sizeof(T));
    number = T{};
    if constexpr (std::is_same_v<T, bool>) {
      const auto value = bytes.empty() ? std::uint8_t{0} : std::to_integer<std::uint8_t>(bytes[0]);
      expect(value <= 1, "a truth is 0 or 1");
      number = value == 1;
    } else if (!bytes.empty()) {
      std::memcpy(&number, bytes.data(), sizeof(T));
    }
  }
  void pass(std::string& text) {
    std::uint16_t size = 0;
    pass(size);
    expect(size <= shuffle_text_bytes_max, "a text is bounded");
    const auto bytes = next(size);
    text.assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    expect(text.find('\0') == std::string::npos, "a text has no zero byte");
  }
  void pass_key(shuffle::RunKey& key) {
    const auto bytes = next(shuffle::RunKey::size);
    if (bytes.size() == shuffle::RunKey::size) {
      key = shuffle::RunKey(bytes.first<shuffle::RunKey::size>());
    }
  }
  void expect(bool is_valid, const char* what) {
    if (!is_valid && error_.empty()) error_ = what;
  }

  template <class T>
  Result<T> finish(T value) {
    expect(rest_.empty(), "a packet has nothing after its last field");
    if (!error_.empty()) return Error{"expected that " + error_};
    return value;
  }

 private:
  std::span<const std::byte> next(std::size_t bytes) {
    if (error_.empty() && rest_.size() < bytes) error_ = "a packet has all its fields";
    if (!error_.empty()) return {};
    const auto taken = rest_.first(bytes);
    rest_ = rest_.subspan(bytes);
    return taken;
  }

  std::span<const std::byte> rest_;
  std::string error_;
};

// Of both directions: a writer has const values.
template <class Packet, class Time>
void pass_time(Packet& packet, Time& time, bool may_be_zero) {
  auto count = static_cast<std::int64_t>(time.count());
  packet.pass(count);
  constexpr auto day = std::chrono::hours(24);
  const std::remove_const_t<Time> passed(count);
  packet.expect(passed.count() >= (may_be_zero ? 0 : 1) && passed <= day, "a time is of a day");
  if constexpr (!std::is_const_v<Time>) time = passed;
}

template <class Packet, class Rate>
void pass_rate(Packet& packet, Rate& rate) {
  std::uint64_t number = rate.value_or(0);
  packet.pass(number);
  packet.expect(number <= RateLimits::rate_max, "a rate is bounded");
  if constexpr (!std::is_const_v<Rate>) rate = number == 0 ? std::nullopt : std::optional(number);
}

template <class Packet, class Rates>
void pass_rates(Packet& packet, Rates& rates) {
  pass_rate(packet, rates.disk);
  pass_rate(packet, rates.network);
  pass_time(packet, rates.seek, true);
}

template <class Packet, class Limits>
void pass_limits(Packet& packet, Limits& limits) {
  packet.pass(limits.connections_max);
  packet.expect(limits.connections_max >= 1 && limits.connections_max <= 100'000,
                "the bound of connections is from 1 to 100,000");
  pass_time(packet, limits.read_timeout, false);
  pass_time(packet, limits.write_timeout, false);
  pass_time(packet, limits.keepalive, false);
  pass_time(packet, limits.put_timeout, false);
  pass_time(packet, limits.drain_timeout, false);
}

// Whether there is an optional value; a reader makes it.
template <class Packet, class Optional>
bool pass_presence(Packet& packet, Optional& value) {
  bool has_value = value.has_value();
  packet.pass(has_value);
  if constexpr (!std::is_const_v<Optional>) {
    if (has_value) value.emplace();
  }
  return has_value;
}

template <class Packet, class Cgroup>
void pass_cgroup(Packet& packet, Cgroup& cgroup) {
  packet.pass(cgroup.name.run);
  packet.pass(cgroup.name.agent);
  packet.pass(cgroup.is_required);
  packet.expect(check_cgroup_name("run", cgroup.name.run).has_value() &&
                    check_cgroup_name("name", cgroup.name.agent).has_value(),
                "the names of a cgroup are plain");
  if (!pass_presence(packet, cgroup.limits)) return;
  for (auto* number :
       {&cgroup.limits->milli_vcores, &cgroup.limits->memory_mib, &cgroup.limits->pids}) {
    packet.pass(*number);
    packet.expect(*number >= 1 && *number <= (std::int64_t{1} << 40), "a limit is positive");
  }
}

template <class Packet, class Begin>
void pass_begin(Packet& packet, Begin& begin) {
  packet.pass_key(begin.key);
  packet.pass(begin.address);
  packet.pass(begin.port);
  packet.pass(begin.folder);
  packet.expect(!begin.folder.empty(), "there is a folder");
  packet.pass(begin.kept_bytes_max);
  packet.expect(begin.kept_bytes_max <= shuffle::output_bytes_max, "memory is bounded");
  packet.pass(begin.links);
  pass_rates(packet, begin.rates);
  pass_limits(packet, begin.limits);
  pass_time(packet, begin.figures_period, false);
  if (pass_presence(packet, begin.cgroup)) pass_cgroup(packet, *begin.cgroup);
}

template <class Packet, class Figures>
void pass_figures(Packet& packet, Figures& figures) {
  packet.pass(figures.bytes_put);
  packet.pass(figures.bytes_got);
  packet.pass(figures.connections);
  packet.pass(figures.refused);
  packet.pass(figures.denied);
  packet.pass(figures.malformed);
}

// What a packet begins with: the mark, and the number of its alternative.
PacketWriter packet_of(std::size_t alternative) {
  PacketWriter packet;
  packet.pass(packet_mark);
  packet.pass(static_cast<std::uint8_t>(alternative));
  return packet;
}

std::uint8_t alternative_of(PacketReader& packet) {
  std::uint32_t mark = 0;
  std::uint8_t alternative = 0;
  packet.pass(mark);
  packet.pass(alternative);
  packet.expect(mark == packet_mark, "a packet begins with its mark");
  return alternative;
}

}  // namespace

std::vector<std::byte> encode(const ShuffleOrder& order) {
  PacketWriter packet = packet_of(order.index());
  visit_all(
      order, [&](const ShuffleBegin& begin) { pass_begin(packet, begin); },
      [&](const ShuffleRates& rates) { pass_rates(packet, rates); },
      [&](const RemoveShuffledJob& removal) { packet.pass(removal.job); });
  return packet.take();
}

std::vector<std::byte> encode(const ShuffleNews& news) {
  PacketWriter packet = packet_of(news.index());
  visit_all(
      news, [&](const ShuffleReady& ready) { packet.pass(ready.port); },
      [&](const ShuffleFigures& figures) { pass_figures(packet, figures); },
      [&](const ShuffleFailed& failed) { packet.pass(failed.message); });
  return packet.take();
}

Result<ShuffleOrder> decode_order(std::span<const std::byte> bytes) {
  PacketReader packet(bytes);
  switch (alternative_of(packet)) {
    case 0: {
      ShuffleBegin begin;
      pass_begin(packet, begin);
      return packet.finish(ShuffleOrder(std::move(begin)));
    }
    case 1: {
      ShuffleRates rates;
      pass_rates(packet, rates);
      return packet.finish(ShuffleOrder(rates));
    }
    case 2: {
      RemoveShuffledJob removal;
      packet.pass(removal.job);
      return packet.finish(ShuffleOrder(removal));
    }
    default:
      return Error{"expected an order that there is"};
  }
}

Result<ShuffleNews> decode_news(std::span<const std::byte> bytes) {
  PacketReader packet(bytes);
  switch (alternative_of(packet)) {
    case 0: {
      ShuffleReady ready;
      packet.pass(ready.port);
      packet.expect(ready.port != 0, "there is a port");
      return packet.finish(ShuffleNews(ready));
    }
    case 1: {
      ShuffleFigures figures;
      pass_figures(packet, figures);
      return packet.finish(ShuffleNews(figures));
    }
    case 2: {
      ShuffleFailed failed;
      packet.pass(failed.message);
      return packet.finish(ShuffleNews(std::move(failed)));
    }
    default:
      return Error{"expected news that there are"};
  }
}

}  // namespace tracebed
