#include "agents/shuffle/shuffle_server.h"

#include "agents/shuffle/shuffle_connection.h"

namespace tracebed {
namespace {

RateLimits limits_of(const ShuffleLimits& limits) {
  return {.streams_max = limits.connections_max};
}

}  // namespace

ShuffleServer::ShuffleServer(const ShuffleServerOptions& options)
    : limits_(options.limits),
      key_(options.key),
      store_(options.folder),
      kept_(options.kept_bytes_max),
      rates_(limits_of(limits_), limits_of(limits_), {}, options.links, options.address),
      environment_{store_, kept_, rates_, counters_, is_ending_, key_, limits_},
      server_(std::make_unique<ConnectionServer>(
          ConnectionServer::Options{.place = {options.address, options.port},
                                    .connections_max = limits_.connections_max,
                                    .purpose = "map outputs"},
          sockets_,
          [this](TransferSocket& socket) { ShuffleConnection(environment_, socket).run(); })),
      port_(server_->port()) {}

ShuffleServer::~ShuffleServer() {
  stop();
}

void ShuffleServer::stop() {
  if (server_ == nullptr) return;
  is_ending_ = true;
  rates_.stop();
  sockets_.end_receiving();
  server_->wait_for_end(end_timeout);
  server_.reset();
}

void ShuffleServer::set_rates(std::optional<std::uint64_t> disk,
                              std::optional<std::uint64_t> network, std::chrono::nanoseconds seek) {
  if (rates_.links != nullptr) return;
  rates_.set_disk(disk, seek);
  rates_.set_network(network);
}

ShuffleFigures ShuffleServer::figures() const {
  ShuffleFigures figures;
  figures.bytes_put = counters_.bytes_put;
  figures.bytes_got = counters_.bytes_got;
  figures.denied = counters_.denied;
  figures.malformed = counters_.malformed;
  if (server_ == nullptr) return figures;
  figures.connections = server_->connections();
  figures.refused = server_->refused();
  return figures;
}

}  // namespace tracebed
