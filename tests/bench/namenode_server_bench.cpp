// Look-ups of a block's locations over Hadoop RPC, by clients in threads of this process that send
// many calls before they read the replies, and parse every reply. Also with one call at a time.
//
// Usage: namenode_server_bench [files] [seconds] (default 182,000, of 1 to 10 blocks each; 3).
#include <arpa/inet.h>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <fmt/format.h>
#include <netinet/in.h>
#include <string>
#include <sys/socket.h>
#include <thread>
#include <vector>

#include "bench/loaded_namenode.h"
#include "client_namenode.pb.h"
#include "coordinator/namenode_server/namenode_rpc_server.h"
#include "coordinator/real/storage_gate.h"
#include "core/check.h"
#include "core/random.h"
#include "protocol/hdfs/delimited.h"
#include "protocol/hdfs/namenode_method.h"
#include "protocol/hdfs/rpc_client.h"
#include "support/raw_connections.h"

namespace tracebed::bench {
namespace {

using namespace hdfs;

Bytes view(const std::string& text, std::size_t from = 0) {
  return std::as_bytes(std::span(text)).subspan(from);
}

class LookUps {
 public:
  LookUps(std::uint16_t port, std::size_t files, int window, std::uint64_t seed)
      : socket_(test::raw_connection(port)), window_(window) {
    TRACEBED_CHECK(socket_.is_open(), "the server listens");
    std::string hello;
    append_connection(hello, "bench", client_protocol, {});
    send(hello);
    Random random(seed);
    // Some turns' calls, so that sending costs no encoding.
    for (int turn = 0; turn < 64; ++turn) {
      std::string calls;
      for (int i = 0; i < window_; ++i) {
        pb::GetBlockLocationsRequest request;
        request.set_src(path_of(random.below(files)));
        request.set_offset(0);
        request.set_length(1);
        append_call(calls, {i, -1, {}}, "getBlockLocations", client_protocol, request);
      }
      turns_.push_back(std::move(calls));
    }
  }

  // A turn: as many calls as the window has, and their replies.
  void turn(std::size_t number) {
    send(turns_[number % turns_.size()]);
    for (int got = 0; got < window_;) {
      const auto parsed = parse_reply(view(unread_, taken_), std::size_t{1} << 20);
      const auto* reply = std::get_if<Parsed<RpcReply>>(&parsed);
      if (reply == nullptr) {
        receive();
        continue;
      }
      const auto* response = std::get_if<Bytes>(&reply->value.result);
      TRACEBED_CHECK(response != nullptr && parse_message(*response, response_) &&
                         response_.locations().blocks_size() == 1 &&
                         response_.locations().blocks(0).locs_size() == 3,
                     "the first block is found with its replicas");
      taken_ += reply->bytes;
      ++got;
    }
  }

 private:
  void send(const std::string& bytes) const {
    for (std::size_t at = 0; at < bytes.size();) {
      const ssize_t sent = ::send(socket_.number(), bytes.data() + at, bytes.size() - at, 0);
      TRACEBED_CHECK(sent > 0, "the server takes calls");
      at += static_cast<std::size_t>(sent);
    }
  }
  void receive() {
    unread_.erase(0, taken_);
    taken_ = 0;
    const std::size_t before = unread_.size();
    unread_.resize(before + (std::size_t{256} << 10));
    const ssize_t got =
        ::recv(socket_.number(), unread_.data() + before, unread_.size() - before, 0);
    TRACEBED_CHECK(got > 0, "the server replies");
    unread_.resize(before + static_cast<std::size_t>(got));
  }

  FileDescriptor socket_;
  const int window_;
  std::vector<std::string> turns_;
  std::string unread_;
  std::size_t taken_ = 0;
  pb::GetBlockLocationsResponse response_;
};

void measure(std::uint16_t port, std::size_t files, int clients, int window, double seconds) {
  std::atomic<bool> has_ended = false;
  std::atomic<std::uint64_t> done = 0;
  std::vector<std::thread> threads;
  const auto begin = std::chrono::steady_clock::now();
  for (int client = 0; client < clients; ++client) {
    threads.emplace_back([&, client] {
      LookUps lookups(port, files, window, static_cast<std::uint64_t>(client));
      for (std::size_t turn = 0; !has_ended; ++turn) {
        lookups.turn(turn);
        done += static_cast<std::uint64_t>(window);
      }
    });
  }
  std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
  const std::uint64_t count = done;
  const double taken =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  has_ended = true;
  for (std::thread& thread : threads) thread.join();
  fmt::print("{} clients with {:3} calls at a time: {:.0f} look-ups a second\n", clients, window,
             static_cast<double>(count) / taken);
}

void run(std::size_t files, double seconds) {
  NamenodeOptions options;
  options.safe_mode.at_start = false;
  Namenode namenode(options, trace_time(0));
  start(namenode);
  preload(namenode, files, nullptr);
  StorageGate gate;
  gate.open({.namenode = &namenode,
             .pool = "BP-1",
             .now = [] { return trace_time(1); },
             .times = {[](TraceTime time) { return to_microseconds(time) / 1000; },
                       [](std::int64_t epoch) { return trace_time(epoch * 1000); }}});
  for (unsigned i = 0; i < datanodes; ++i) {
    gate.set_place(NodeId(i), {.name = fmt::format("node{}", i),
                               .address = fmt::format("127.0.1.{}", i + 1),
                               .transfer_port = 9866,
                               .http_port = 9864,
                               .rack = fmt::format("/rack{}", i / 20)});
  }
  gate.leave();
  {
    const NamenodeRpcServer server(gate, {});
    measure(server.port(), files, 2, 64, seconds);
    measure(server.port(), files, 4, 64, seconds);
    measure(server.port(), files, 2, 1, seconds);
  }
  gate.close("the benchmark has ended");
}

}  // namespace
}  // namespace tracebed::bench

int main(int argc, char** argv) {
  const std::size_t files = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 182'000;
  tracebed::bench::run(files, argc > 2 ? std::strtod(argv[2], nullptr) : 3);
  return 0;
}
