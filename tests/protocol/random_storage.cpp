#include "protocol/random_storage.h"

#include <array>
#include <concepts>
#include <limits>
#include <optional>
#include <sstream>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "core/storage_fields.h"
#include "core/visit.h"

namespace tracebed::test {
namespace {

class Filler {
 public:
  explicit Filler(Random& random) : random_(random) {}

  void fill(HasMembers auto& value) {
    std::apply([this](auto&... members) { (fill(members), ...); }, members_of(value));
  }
  // Small ones, which may be the numbers of something, and limits.
  template <std::integral Number>
  void fill(Number& number) {
    switch (random_.below(4)) {
      case 0:
        number = static_cast<Number>(random_.below(4));
        break;
      case 1:
        number = static_cast<Number>(random_.next());
        break;
      case 2:
        number = random_.chance(0.5) ? std::numeric_limits<Number>::max()
                                     : std::numeric_limits<Number>::min();
        break;
      default:
        number = static_cast<Number>(random_.below(1 << 20));
    }
  }
  void fill(bool& flag) { flag = random_.chance(0.5); }
  void fill(NodeId& node) {
    node = random_.chance(0.1) ? NodeId() : NodeId(static_cast<std::uint32_t>(random_.below(12)));
  }

 private:
  template <class Enumeration>
  requires std::is_enum_v<Enumeration>
  void fill(Enumeration& value) {
    value =
        static_cast<Enumeration>(random_.below(static_cast<std::uint64_t>(greatest(value)) + 1));
  }
  void fill(TraceTime& time) {
    std::int64_t number = 0;
    fill(number);
    time = TraceTime(Duration(number));
  }
  void fill(std::string& text) {
    if (random_.chance(0.5)) {
      text = "/" + std::string(1, static_cast<char>('a' + random_.below(4)));
      if (random_.chance(0.5)) text += "/b";
      return;
    }
    text.assign(random_.below(20), ' ');
    for (char& letter : text) letter = static_cast<char>(random_.below(256));
  }
  void fill(std::array<std::uint8_t, 16>& bytes) {
    for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random_.below(3));
  }
  template <class T>
  void fill(std::optional<T>& value) {
    value.reset();
    if (random_.chance(0.5)) fill(value.emplace());
  }
  template <class T>
  void fill(std::vector<T>& list) {
    list.clear();
    for (std::uint64_t i = random_.below(4); i > 0; --i) fill(list.emplace_back());
  }
  template <class... Alternatives>
  void fill(std::variant<Alternatives...>& value) {
    fill_alternative(value, random_.below(sizeof...(Alternatives)),
                     std::index_sequence_for<Alternatives...>());
  }
  template <class Variant, std::size_t... indices>
  void fill_alternative(Variant& value, std::size_t which, std::index_sequence<indices...>) {
    ((which == indices ? fill(value.template emplace<indices>()) : void()), ...);
  }

  Random& random_;
};

ReportedReplica random_replica(Random& random) {
  Filler filler(random);
  ReportedReplica replica;
  filler.fill(replica.block_id);
  filler.fill(replica.generation_stamp);
  filler.fill(replica.length);
  replica.state = static_cast<ReportedState>(random.below(3));
  return replica;
}

class Printer {
 public:
  explicit Printer(std::ostream& out) : out_(out) {}

  void print(const HasMembers auto& value) {
    out_ << " (";
    std::apply([this](const auto&... members) { (print(members), ...); }, members_of(value));
    out_ << ')';
  }
  void print(const ReportedReplica& replica) {
    out_ << " replica " << replica.block_id << ' ' << replica.generation_stamp << ' '
         << replica.length << ' ' << static_cast<int>(replica.state);
  }
  void print(NodeId node) { out_ << " node " << node.value(); }

 private:
  template <std::integral Number>
  void print(Number number) {
    out_ << ' ' << +number;
  }
  template <class Enumeration>
  requires std::is_enum_v<Enumeration>
  void print(Enumeration value) { out_ << " enumerator " << static_cast<int>(value); }
  void print(TraceTime time) { out_ << ' ' << to_microseconds(time) << " us"; }
  void print(const std::string& text) { out_ << " '" << text << "'"; }
  void print(const std::array<std::uint8_t, 16>& bytes) {
    for (const std::uint8_t byte : bytes) out_ << '.' << +byte;
  }
  template <class T>
  void print(const std::optional<T>& value) {
    out_ << (value ? " given" : " none");
    if (value) print(*value);
  }
  template <class T>
  void print(const std::vector<T>& list) {
    out_ << " [" << list.size();
    for (const T& element : list) print(element);
    out_ << ']';
  }
  template <class... Alternatives>
  void print(const std::variant<Alternatives...>& value) {
    out_ << " alternative " << value.index();
    std::visit([this](const auto& alternative) { print(alternative); }, value);
  }

  std::ostream& out_;
};

}  // namespace

StorageInput random_storage_input(Random& random) {
  Filler filler(random);
  NodeId node;
  filler.fill(node);
  switch (random.below(7)) {
    case 0:
      return DatanodeRegistered{node};
    case 1:
      return DatanodeGone{node};
    case 2: {
      DatanodeHeartbeat heartbeat{.node = node, .usage = {}};
      filler.fill(heartbeat.usage.capacity);
      filler.fill(heartbeat.usage.used);
      filler.fill(heartbeat.usage.remaining);
      filler.fill(heartbeat.usage.transfers);
      return heartbeat;
    }
    case 3: {
      FullBlockReport report{.node = node, .replicas = {}};
      for (std::uint64_t i = random.below(6); i > 0; --i) {
        report.replicas.push_back(random_replica(random));
      }
      return report;
    }
    case 4: {
      IncrementalBlockReport report{.node = node, .changes = {}};
      for (std::uint64_t i = random.below(6); i > 0; --i) {
        report.changes.push_back({random_replica(random), random.chance(0.5)});
      }
      return report;
    }
    case 5: {
      PreloadedFile file;
      filler.fill(file);
      return file;
    }
    default: {
      StorageCalled called;
      filler.fill(called);
      return called;
    }
  }
}

std::string describe(const StorageInput& input) {
  std::ostringstream out;
  out << "storage " << input.index();
  Printer printer(out);
  visit_all(
      input,
      [&](const OneOf<DatanodeRegistered, DatanodeGone> auto& message) {
        printer.print(message.node);
      },
      [&](const DatanodeHeartbeat& heartbeat) {
        const DatanodeUsage& usage = heartbeat.usage;
        printer.print(heartbeat.node);
        out << ' ' << usage.capacity << ' ' << usage.used << ' ' << usage.remaining << ' '
            << usage.transfers;
      },
      [&](const FullBlockReport& report) {
        printer.print(report.node);
        for (const ReportedReplica& replica : report.replicas) printer.print(replica);
      },
      [&](const IncrementalBlockReport& report) {
        printer.print(report.node);
        for (const auto& [replica, is_deleted] : report.changes) {
          printer.print(replica);
          out << (is_deleted ? " deleted" : " there");
        }
      },
      [&](const OneOf<StorageCalled, PreloadedFile> auto& value) { printer.print(value); });
  return out.str();
}

}  // namespace tracebed::test
