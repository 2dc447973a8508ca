// A shuffle over loopback, beside a bare stream of the same bytes.
//
// shuffle_bench [MEGABYTES [TURNS]]
#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <memory>
#include <thread>
#include <vector>

#include "agents/shuffle/shuffle_server.h"
#include "bench/bare_streams.h"
#include "shuffle_client/map_output_writer.h"
#include "shuffle_client/shuffle_fetcher.h"

namespace tracebed {
namespace {

using namespace bench;

constexpr std::uint32_t job = 1;

double put(const ShuffleServer& server, std::uint64_t length, std::uint32_t container) {
  const Buffer buffer(buffer_bytes, std::byte{1});
  const Clock::time_point begin = Clock::now();
  auto output = shuffle::MapOutputWriter::open({"127.0.0.1", server.port()},
                                               shuffle::job_token({}, job), {job, container}, {});
  check(output.has_value(), "opening an output");
  for (std::uint64_t offset = 0; offset < length; offset += buffer.size()) {
    check(output->write(buffer).has_value(), "putting");
  }
  check(output->close().has_value(), "committing");
  return static_cast<double>(length) / seconds_since(begin);
}

// In so many ranges of each request, so that all of it is fetched.
double fetch(const ShuffleServer& server, std::uint64_t length, std::uint64_t range_bytes) {
  std::vector<shuffle::OutputRange> ranges;
  for (std::uint64_t offset = 0; offset < length; offset += range_bytes) {
    ranges.push_back({0, offset, std::min(range_bytes, length - offset)});
  }
  std::uint64_t fetched = 0;
  const auto sink = [&](std::size_t, shuffle::Bytes bytes) { fetched += bytes.size(); };
  const Clock::time_point begin = Clock::now();
  shuffle::ShuffleFetcher fetcher(shuffle::job_token({}, job), job, {});
  for (std::size_t at = 0; at < ranges.size(); at += shuffle::ranges_max) {
    const auto some =
        std::span(ranges).subspan(at, std::min(shuffle::ranges_max, ranges.size() - at));
    for (const auto& result : fetcher.fetch({"127.0.0.1", server.port()}, some, sink)) {
      check(!result.failure, "fetching");
    }
  }
  const double seconds = seconds_since(begin);
  check(fetched == length, "fetching all of it");
  return static_cast<double>(length) / seconds;
}

double stream(std::uint64_t length) {
  BareServer server([length](TransferSocket& socket) {
    const Buffer buffer(buffer_bytes, std::byte{1});
    for (std::uint64_t offset = 0; offset < length; offset += buffer.size()) {
      check(socket.send(hdfs::Bytes(buffer), timeout).has_value(), "bare sending");
    }
  });
  OpenSockets open;
  const Clock::time_point begin = Clock::now();
  TransferSocket socket(test::raw_connection(server.port()), open);
  Buffer buffer(buffer_bytes);
  for (std::uint64_t received = 0; received < length;) {
    const auto count = socket.receive(buffer, Clock::now() + timeout);
    check(count.has_value(), "bare receiving");
    received += *count;
  }
  const double seconds = seconds_since(begin);
  server.join();
  return static_cast<double>(length) / seconds;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

int run(std::uint64_t length, int turns) {
  const TemporaryFolder folder;
  ShuffleServerOptions options;
  options.address = "127.0.0.1";
  options.folder = folder.path() / "shuffle";
  const ShuffleServer server(options);
  std::vector<double> bare;
  std::vector<double> puts;
  std::vector<double> whole;
  std::vector<double> parts;
  constexpr std::uint64_t part_bytes = 100'000;  // the partition of one of many reduces
  for (int turn = 0; turn < turns; ++turn) {
    bare.push_back(stream(length));
    puts.push_back(put(server, length, 0));
    whole.push_back(fetch(server, length, length));
    parts.push_back(fetch(server, length, part_bytes));
  }
  const auto print = [&](const char* what, const std::vector<double>& ours) {
    fmt::print("{:<32} {:>7.0f} MB/s  bare {:>7.0f} MB/s  {:.2f}\n", what, median(ours) / 1e6,
               median(bare) / 1e6, median(ours) / median(bare));
  };
  print("one fetch of all", whole);
  print("fetches of 20 ranges of 100 kB", parts);
  print("one put, with its file", puts);
  return EXIT_SUCCESS;
}

}  // namespace
}  // namespace tracebed

int main(int count, char** words) {
  const double megabytes = count > 1 ? std::atof(words[1]) : 1'000;
  const int turns = count > 2 ? std::atoi(words[2]) : 5;
  // Whole buffers, so that all streams have the same bytes.
  const auto buffers =
      static_cast<std::uint64_t>(megabytes * 1e6) / tracebed::bench::buffer_bytes + 1;
  return tracebed::run(buffers * tracebed::bench::buffer_bytes, std::max(turns, 1));
}
