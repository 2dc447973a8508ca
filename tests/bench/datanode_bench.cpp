// What limits a datanode but its disk and network: how well a rate is held and shared by threads,
// and how fast content is made, summed, stored and read.
//
//   datanode_bench [SECONDS [MEGABYTES]]
//
// Rates are measured for SECONDS (10) with 1, 4 and 16 readers, each asking for packets of 64 KiB;
// content over MEGABYTES (2,000).
#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <fmt/format.h>
#include <thread>
#include <vector>

#include "agents/datanode/replica_writer.h"
#include "agents/datanode/shared_rate.h"
#include "core/block_content.h"
#include "support/temporary_folder.h"

namespace tracebed {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t packet_bytes = 64 * 1024;
constexpr double megabyte = 1e6;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

void measure_rate(std::size_t readers, std::uint64_t bytes_per_second, double seconds) {
  RateLimits limits;
  limits.bytes_per_second = bytes_per_second;
  SharedRate rate(limits);
  std::vector<std::uint64_t> bytes(readers);
  std::atomic<bool> has_ended = false;
  const Clock::time_point begin = Clock::now();
  {
    std::vector<std::jthread> threads;
    for (std::uint64_t& read : bytes) {
      threads.emplace_back([&] {
        auto stream = rate.open();
        std::uint64_t own = 0;
        while (!has_ended && stream->acquire(packet_bytes)) own += packet_bytes;
        read = own;
      });
    }
    std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
    has_ended = true;
  }
  const double taken = seconds_since(begin);
  double total = 0;
  for (const std::uint64_t read : bytes) total += static_cast<double>(read);
  const auto [least, most] = std::minmax_element(bytes.begin(), bytes.end());
  const double mean = total / static_cast<double>(readers);
  const auto apart = [&](std::uint64_t read) {
    return 100 * (static_cast<double>(read) / mean - 1);
  };
  fmt::print("{:>8} readers  {:>6.0f} MB/s  total {:+6.2f} %  readers {:+6.2f} … {:+6.2f} %\n",
             readers, static_cast<double>(bytes_per_second) / megabyte,
             100 * (total / taken / static_cast<double>(bytes_per_second) - 1), apart(*least),
             apart(*most));
}

template <class Work>
void measure(const char* what, double megabytes, const Work& work) {
  const auto packets = static_cast<std::uint64_t>(megabytes * megabyte / packet_bytes) + 1;
  const Clock::time_point begin = Clock::now();
  for (std::uint64_t packet = 0; packet < packets; ++packet) work(packet * packet_bytes);
  fmt::print("{:<40} {:>8.2f} GB/s\n", what,
             static_cast<double>(packets * packet_bytes) / seconds_since(begin) / 1e9);
}

int run(double seconds, double megabytes) {
  for (const std::uint64_t rate : {100'000'000u, 1'000'000'000u}) {
    for (const std::size_t readers : {1u, 4u, 16u}) measure_rate(readers, rate, seconds);
  }
  SharedRate unlimited(RateLimits{});
  auto stream = unlimited.open();
  bool all_granted = true;
  measure("packets of an unlimited rate", 1'000 * megabytes,
          [&](std::uint64_t) { all_granted = stream->acquire(packet_bytes) && all_granted; });

  const BlockContent content(1'073'741'825);
  std::vector<std::byte> bytes(packet_bytes);
  std::vector<std::byte> checksums(replica_checksums.bytes(packet_bytes));
  measure("fill", megabytes, [&](std::uint64_t offset) { content.fill(offset, bytes); });
  measure("fill at odd offsets", megabytes,
          [&](std::uint64_t offset) { content.fill(offset + 3, bytes); });
  content.fill(0, bytes);
  bool all_right = true;
  measure("compare", megabytes, [&](std::uint64_t) {
    all_right = content.count_matching(0, bytes) == bytes.size() && all_right;
  });

  const TemporaryFolder folder;
  StoreOptions options;
  ReplicaStore store(folder.path() / "data", options);
  const auto length = static_cast<std::uint64_t>(megabytes * megabyte) + 2 * packet_bytes;
  const OrderedReplica ordered{1, 1'001, length};
  bool is_stored = store.add(std::span(&ordered, 1)).has_value();
  const auto generated = store.open(1);
  measure("read generated, with checksums", megabytes, [&](std::uint64_t offset) {
    is_stored = generated->read(offset, bytes, checksums) && is_stored;
  });
  auto writer = store.create(2, 1'001, length);
  measure("write files, with checksums", megabytes,
          [&](std::uint64_t offset) { is_stored = writer->append(offset, bytes) && is_stored; });
  const auto files = store.open(2);
  measure("read files, with checksums", megabytes, [&](std::uint64_t offset) {
    is_stored = files->read(offset, bytes, checksums) && is_stored;
  });
  return all_granted && all_right && is_stored ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace
}  // namespace tracebed

int main(int count, char** words) {
  const double seconds = count > 1 ? std::atof(words[1]) : 10;
  const double megabytes = count > 2 ? std::atof(words[2]) : 2'000;
  return tracebed::run(seconds, megabytes);
}
