#include "agents/shuffle_link/shuffle_daemon.h"

#include <poll.h>
#include <spdlog/spdlog.h>
#include <sys/socket.h>

#include "agents/cgroups/daemon_cgroup.h"
#include "agents/shuffle_link/packet_socket.h"
#include "core/input_error.h"
#include "core/visit.h"
#include "system/descriptor_limit.h"
#include "system/plain_message.h"

namespace tracebed {
namespace {

bool is_packet_socket(const FileDescriptor& descriptor) {
  int type = 0;
  socklen_t size = sizeof(type);
  return getsockopt(descriptor.number(), SOL_SOCKET, SO_TYPE, &type, &size) == 0 &&
         type == SOCK_SEQPACKET;
}

void wait_for(const FileDescriptor& socket, std::chrono::milliseconds time) {
  pollfd polled{socket.number(), POLLIN, 0};
  poll(&polled, 1, static_cast<int>(time.count()));
}

// None where there are no cgroups and none is required.
std::optional<DaemonCgroup> enter_cgroup(const ShuffleCgroup& wanted) {
  const CgroupSurroundings surroundings = cgroup_surroundings();
  const CgroupSupport support = detect_cgroups(surroundings);
  Result<DaemonCgroup> cgroup =
      DaemonCgroup::enter(surroundings, support, wanted.name, wanted.limits);
  if (cgroup) return *std::move(cgroup);
  if (wanted.is_required || support.kind != CgroupSupport::Kind::none) {
    throw EnvironmentError(cgroup.error().message);
  }
  spdlog::warn("no cgroup of its own: {}", cgroup.error().message);
  return std::nullopt;
}

std::unique_ptr<ShuffleServer> server_of(const ShuffleBegin& begin, SharedLinks* links) {
  auto server =
      std::make_unique<ShuffleServer>(ShuffleServerOptions{.address = begin.address,
                                                           .port = begin.port,
                                                           .folder = begin.folder,
                                                           .key = begin.key,
                                                           .limits = begin.limits,
                                                           .kept_bytes_max = begin.kept_bytes_max,
                                                           .links = links});
  server->set_rates(begin.rates.disk, begin.rates.network, begin.rates.seek);
  return server;
}

}  // namespace

ShuffleDaemon::ShuffleDaemon(FileDescriptor connection) : connection_(std::move(connection)) {
  if (!is_packet_socket(connection_)) {
    throw InputError("its standard input is a socket of tracebed-agent, which starts it");
  }
  const std::optional<ShuffleBegin> how = receive_begin();
  if (!how) return;
  try {
    begin(*how);
  } catch (const std::exception& error) {
    (void)send_packet(connection_, encode(ShuffleNews(ShuffleFailed{plain_message(error)})));
    throw;
  }
  (void)send_packet(connection_, encode(ShuffleNews(ShuffleReady{server_->port()})));
}

std::optional<ShuffleBegin> ShuffleDaemon::receive_begin() {
  for (;;) {
    const PacketState state = receive_packet(connection_, packet_);
    if (state == PacketState::closed) {
      is_connected_ = false;
      return std::nullopt;
    }
    if (state == PacketState::packet) break;
    wait_for(connection_, std::chrono::hours(1));
  }
  Result<ShuffleOrder> order = decode_order(packet_);
  wipe(packet_);
  if (!order) throw InputError("the first packet: " + order.error().message);
  auto* begin = std::get_if<ShuffleBegin>(&*order);
  if (begin == nullptr) throw InputError("the first packet: expected that it begins the server");
  return std::move(*begin);
}

void ShuffleDaemon::begin(const ShuffleBegin& how) {
  // Each connection has a descriptor, and one of an output.
  raise_descriptor_limit(2 * how.limits.connections_max + KeptBlocks::blocks_max + 64,
                         "the connections of a shuffle");
  if (how.cgroup) {
    if (auto entered = enter_cgroup(*how.cgroup)) cgroup_.emplace(std::move(*entered));
  }
  if (!how.links.empty()) links_ = std::make_unique<SharedLinks>(how.links);
  server_ = server_of(how, links_.get());
  figures_period_ = how.figures_period;
}

void ShuffleDaemon::receive_orders() {
  for (;;) {
    const PacketState state = receive_packet(connection_, packet_);
    if (state == PacketState::closed) is_connected_ = false;
    if (state != PacketState::packet) return;
    const Result<ShuffleOrder> order = decode_order(packet_);
    if (!order) throw InputError("a packet: " + order.error().message);
    execute(*order);
  }
}

void ShuffleDaemon::execute(const ShuffleOrder& order) {
  visit_all(
      order, [](const ShuffleBegin&) { throw InputError("a packet: expected that it began once"); },
      [this](const ShuffleRates& rates) {
        server_->set_rates(rates.disk, rates.network, rates.seek);
      },
      [this](const RemoveShuffledJob& removal) { server_->remove_job(removal.job); });
}

ExitCode ShuffleDaemon::run() {
  while (is_connected_) {
    wait_for(connection_, figures_period_);
    receive_orders();
    // Where the daemon does not read them, later ones replace them.
    (void)send_packet(connection_, encode(ShuffleNews(server_->figures())));
  }
  if (server_ != nullptr) server_->stop();
  return ExitCode::success;
}

}  // namespace tracebed
