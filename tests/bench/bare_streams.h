// Bare TCP streams over loopback, of the same bytes as a datanode's: what its server is put beside.
#pragma once

#include <chrono>
#include <cstdlib>
#include <fcntl.h>
#include <fmt/format.h>
#include <functional>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include "agents/datanode/replica_files.h"
#include "agents/datanode/transfer/transfer_socket.h"
#include "core/block_content.h"
#include "support/cpu_time.h"
#include "support/raw_connections.h"
#include "support/temporary_folder.h"

namespace tracebed::bench {

using Clock = std::chrono::steady_clock;
using Buffer = std::vector<std::byte>;

inline constexpr std::uint64_t block_id = 1'073'741'825;
inline constexpr std::size_t packet_bytes = 64 * 1024;
inline constexpr std::size_t buffer_bytes = 256 * 1024;
inline constexpr std::chrono::seconds timeout(60);

// Bytes per second, and per second of the process's CPU time, which changes less where the machine
// does other things, too.
struct Speed {
  double bytes_per_second = 0;
  double bytes_per_cpu_second = 0;
};
class SpeedWatch {
 public:
  Speed speed_of(std::uint64_t bytes) const {
    const std::chrono::duration<double> taken = Clock::now() - begin_;
    const double cpu_taken = process_cpu_seconds() - cpu_begin_;
    return {static_cast<double>(bytes) / taken.count(), static_cast<double>(bytes) / cpu_taken};
  }

 private:
  Clock::time_point begin_ = Clock::now();
  double cpu_begin_ = process_cpu_seconds();
};

inline double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

inline void check(bool is_well, const char* what) {
  if (is_well) return;
  fmt::print(stderr, "data_transfer_bench: {} failed\n", what);
  std::exit(EXIT_FAILURE);
}

// Of a listener that serves one connection after another.
class BareServer {
 public:
  explicit BareServer(std::function<void(TransferSocket&)> serve)
      : listener_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)), serve_(std::move(serve)) {
    check(::listen(listener_.number(), 8) == 0, "listening");
    thread_ = std::jthread([this] {
      FileDescriptor accepted(::accept4(listener_.number(), nullptr, nullptr, SOCK_NONBLOCK));
      TransferSocket socket(std::move(accepted), open_);
      serve_(socket);
    });
  }
  std::uint16_t port() const {
    sockaddr_in address{};
    socklen_t bytes = sizeof(address);
    ::getsockname(listener_.number(), reinterpret_cast<sockaddr*>(&address), &bytes);
    return ntohs(address.sin_port);
  }
  void join() { thread_.join(); }

 private:
  FileDescriptor listener_;
  OpenSockets open_;
  std::function<void(TransferSocket&)> serve_;
  std::jthread thread_;
};

inline Speed read_bare(std::uint64_t length) {
  BareServer server([length](TransferSocket& socket) {
    const BlockContent content(block_id);
    Buffer buffer(buffer_bytes);
    for (std::uint64_t offset = 0; offset < length; offset += buffer.size()) {
      content.fill(offset, buffer);
      check(socket.send(hdfs::Bytes(buffer), timeout).has_value(), "bare sending");
    }
  });
  OpenSockets open;
  const SpeedWatch watch;
  TransferSocket socket(test::raw_connection(server.port()), open);
  Buffer buffer(buffer_bytes);
  std::uint64_t received = 0;
  while (received < length) {
    const auto count = socket.receive(buffer, Clock::now() + timeout);
    check(count.has_value(), "bare reading");
    received += *count;
  }
  return watch.speed_of(received);
}

struct Hop {
  std::unique_ptr<BareServer> server;
  std::unique_ptr<TemporaryFolder> folder;
};

// Client → relay → relay → sink; each writes what it receives to a file if `keeps`.
inline Speed write_bare(std::uint64_t length, bool keeps) {
  std::vector<Hop> hops;
  std::optional<std::uint16_t> next;
  for (int i = 0; i < 3; ++i) {
    auto folder = std::make_unique<TemporaryFolder>();
    const std::string file = folder->file("bytes");
    auto server = std::make_unique<BareServer>([length, keeps, next, file](TransferSocket& socket) {
      OpenSockets open;
      std::optional<TransferSocket> mirror;
      if (next) mirror.emplace(test::raw_connection(*next), open);
      const FileDescriptor kept(::open(file.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
      Buffer buffer(buffer_bytes);
      std::uint64_t received = 0;
      while (received < length) {
        const auto count = socket.receive(buffer, Clock::now() + timeout);
        check(count.has_value(), "bare receiving");
        const hdfs::Bytes bytes = hdfs::Bytes(buffer).first(*count);
        if (mirror) check(mirror->send(bytes, timeout).has_value(), "bare relaying");
        if (keeps) check(write_at(kept, received, bytes).has_value(), "bare keeping");
        received += *count;
      }
      const std::byte ack{1};
      std::byte of_mirror{};
      if (mirror) {
        check(mirror->receive({&of_mirror, 1}, Clock::now() + timeout).has_value(), "an ack");
      }
      check(socket.send(hdfs::Bytes(&ack, 1), timeout).has_value(), "acknowledging");
    });
    next = server->port();
    hops.push_back({std::move(server), std::move(folder)});
  }
  OpenSockets open;
  const SpeedWatch watch;
  TransferSocket socket(test::raw_connection(*next), open);
  const BlockContent content(block_id);
  Buffer buffer(packet_bytes);
  for (std::uint64_t offset = 0; offset < length; offset += buffer.size()) {
    content.fill(offset, buffer);
    check(socket.send(hdfs::Bytes(buffer), timeout).has_value(), "bare writing");
  }
  std::byte ack{};
  check(socket.receive({&ack, 1}, Clock::now() + timeout).has_value(), "the last ack");
  const Speed speed = watch.speed_of(length);
  for (Hop& hop : hops) hop.server->join();
  return speed;
}

}  // namespace tracebed::bench
