// The network of modelled machines with many flows: how many begin and end in a second. First on
// racks of 30 machines whose flows all go from one machine's disk to another machine, each end
// followed by a begin; then the shuffles of a trace of co-flows, all through the ports of one
// switch.
//
// Usage: flow_bench [machines] [flows] [ends] [trace] (default 3,000, 100,000, 1,000,000 and none;
// a trace in the format of the co-flow benchmark of Facebook's shuffles of 2010).
#include <chrono>
#include <cstdlib>
#include <fmt/format.h>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "coordinator/virtual/flow_network.h"
#include "core/random.h"

namespace tracebed::bench {
namespace {

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

// As modelled machines have them, with a rack's uplink for a third of what its machines can send.
class RackedMachines {
 public:
  RackedMachines(FlowNetwork& network, std::size_t machines) {
    constexpr std::int64_t link_rate = 125'000'000;
    for (std::size_t i = 0; i < machines; ++i) {
      disks_.push_back(network.add_link(std::int64_t{100} << 20));
      outbound_.push_back(network.add_link(link_rate));
      inbound_.push_back(network.add_link(link_rate));
    }
    for (std::size_t i = 0; i < machines; i += rack_size) {
      up_.push_back(network.add_link(link_rate * rack_size / 3));
      down_.push_back(network.add_link(link_rate * rack_size / 3));
    }
  }

  std::vector<LinkId> path(std::size_t source, std::size_t target) const {
    std::vector<LinkId> links = {disks_[source]};
    if (source == target) return links;
    links.push_back(outbound_[source]);
    if (source / rack_size != target / rack_size) {
      links.push_back(up_[source / rack_size]);
      links.push_back(down_[target / rack_size]);
    }
    links.push_back(inbound_[target]);
    return links;
  }

 private:
  static constexpr std::size_t rack_size = 30;
  std::vector<LinkId> disks_, outbound_, inbound_, up_, down_;
};

void measure_racks(std::size_t machines, std::size_t flows, std::size_t ends) {
  FlowNetwork network;
  const RackedMachines racks(network, machines);
  Random random(7);
  TraceTime now{};
  const auto begin_one = [&] {
    const auto path = racks.path(random.below(machines), random.below(machines));
    const auto bytes = static_cast<std::int64_t>(random.below(std::uint64_t{256} << 20));
    network.begin(path, {.tag = 0, .bytes = bytes}, now);
  };
  auto clock = std::chrono::steady_clock::now();
  for (std::size_t i = 0; i < flows; ++i) begin_one();
  static_cast<void>(network.next_end());
  const double loaded = seconds_since(clock);
  clock = std::chrono::steady_clock::now();
  const std::uint64_t computed = network.levels_computed();
  std::vector<std::uint64_t> ended;
  std::size_t count = 0;
  while (count < ends) {
    now = network.next_end();
    ended.clear();
    network.take_ended(now, ended);
    for (std::size_t i = 0; i < ended.size(); ++i) begin_one();
    count += ended.size();
  }
  const double time = seconds_since(clock);
  fmt::print(
      "{} flows between {} machines: all begin at once in {:.2f} s; then {:.0f} begins and "
      "{:.0f} ends a second, {:.1f} levels of links computed for each\n",
      flows, machines, loaded, static_cast<double>(count) / time, static_cast<double>(count) / time,
      static_cast<double>(network.levels_computed() - computed) / static_cast<double>(2 * count));
}

struct Coflow {
  TraceTime at;
  std::vector<std::size_t> mappers;
  std::vector<std::pair<std::size_t, std::int64_t>> reducers;  // port, bytes
};

std::vector<Coflow> read_coflows(const std::string& path) {
  std::ifstream file(path);
  std::vector<Coflow> coflows;
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    std::istringstream words(line);
    std::string id;
    std::int64_t at = 0;
    std::size_t count = 0;
    Coflow coflow;
    words >> id >> at >> count;
    coflow.at = TraceTime(milliseconds(at));
    for (coflow.mappers.resize(count); auto& mapper : coflow.mappers) words >> mapper;
    words >> count;
    for (std::size_t i = 0; i < count; ++i) {
      std::size_t port = 0;
      char colon = 0;
      double megabytes = 0;
      words >> port >> colon >> megabytes;
      coflow.reducers.emplace_back(port, static_cast<std::int64_t>(megabytes * 1e6));
    }
    coflows.push_back(std::move(coflow));
  }
  return coflows;
}

void measure_coflows(const std::string& path) {
  constexpr std::size_t ports = 151;  // numbered from 0, or from 1
  FlowNetwork network;
  std::vector<LinkId> outbound, inbound;
  for (std::size_t i = 0; i < ports; ++i) {
    outbound.push_back(network.add_link(125'000'000));
    inbound.push_back(network.add_link(125'000'000));
  }
  const std::vector<Coflow> coflows = read_coflows(path);
  std::vector<std::size_t> left(coflows.size());
  std::vector<std::uint64_t> ended;
  std::size_t flows = 0, most = 0, next = 0;
  double completion_times = 0;
  const auto clock = std::chrono::steady_clock::now();
  while (next < coflows.size() || network.size() > 0) {
    const TraceTime arrival = next < coflows.size() ? coflows[next].at : never;
    const TraceTime now = std::min(arrival, network.next_end());
    ended.clear();
    network.take_ended(now, ended);
    for (const std::uint64_t tag : ended) {
      if (--left[tag] == 0) completion_times += to_seconds(now - coflows[tag].at);
    }
    if (now != arrival) continue;
    const Coflow& coflow = coflows[next];
    for (const auto& [port, bytes] : coflow.reducers) {
      for (const std::size_t mapper : coflow.mappers) {
        network.begin(
            std::vector{outbound[mapper], inbound[port]},
            {.tag = next, .bytes = bytes / static_cast<std::int64_t>(coflow.mappers.size())}, now);
      }
    }
    left[next] = coflow.reducers.size() * coflow.mappers.size();
    flows += left[next++];
    most = std::max(most, network.size());
  }
  const double time = seconds_since(clock);
  fmt::print(
      "{} shuffles of {} flows, at most {} at a time: {:.2f} s, {:.0f} begins and ends a "
      "second; a shuffle takes {:.1f} s on average\n",
      coflows.size(), flows, most, time, static_cast<double>(2 * flows) / time,
      completion_times / static_cast<double>(coflows.size()));
}

}  // namespace
}  // namespace tracebed::bench

int main(int argc, char** argv) {
  const auto number = [&](int index, std::size_t otherwise) {
    return argc > index ? std::strtoul(argv[index], nullptr, 10) : otherwise;
  };
  tracebed::bench::measure_racks(number(1, 3'000), number(2, 100'000), number(3, 1'000'000));
  if (argc > 4) tracebed::bench::measure_coflows(argv[4]);
}
