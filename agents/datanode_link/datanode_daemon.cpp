#include "agents/datanode_link/datanode_daemon.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <poll.h>
#include <spdlog/spdlog.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "core/check.h"
#include "core/input_error.h"
#include "core/visit.h"

namespace tracebed {
namespace {

// The loop comes round at least so often; what is more is its own lateness.
constexpr auto loop_period_max = std::chrono::milliseconds(1'000);
constexpr auto listening_gap_max = 2 * loop_period_max;

FileDescriptor block_signals() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGTERM);
  sigaddset(&set, SIGINT);
  // Before any thread is there, which inherits it.
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  FileDescriptor signals(signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
  if (!signals.is_open()) throw EnvironmentError("cannot create a signalfd: " + error_text(errno));
  return signals;
}

wire::TransferSums to_wire(const TransferCounts& counts) {
  static_assert(distances == wire::transfer_distances);
  return {counts.transfers, counts.errors, counts.bytes_read, counts.bytes_written};
}

wire::TransferReport to_wire(const TransferCounters& counters) {
  wire::TransferReport report{to_wire(counters.total()), {}};
  for (const ClientTransfers& client : counters.clients()) {
    if (report.clients.size() == wire::transfer_clients_max) break;
    report.clients.push_back({client.client, to_wire(client.counts)});
  }
  return report;
}

std::vector<Neighbour> to_neighbours(const std::vector<wire::MachineAddress>& machines) {
  std::vector<Neighbour> neighbours;
  neighbours.reserve(machines.size());
  for (const wire::MachineAddress& machine : machines) {
    neighbours.push_back({machine.address, machine.rack});
  }
  return neighbours;
}

// Of ADDRESS:PORT; none if it is empty or malformed.
std::optional<hdfs::Endpoint> endpoint_of(const std::string& text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string::npos) return std::nullopt;
  hdfs::Endpoint endpoint{text.substr(0, colon), 0};
  const char* const end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data() + colon + 1, end, endpoint.port);
  if (parsed.ec != std::errc{} || parsed.ptr != end) return std::nullopt;
  return endpoint;
}

StoreKind to_store_kind(ReplicaStoreKind kind) {
  switch (kind) {
    case ReplicaStoreKind::generated:
      return StoreKind::generated;
    case ReplicaStoreKind::disk:
      return StoreKind::disk;
  }
  TRACEBED_CHECK(false, "a store is of one of the known kinds");
}

}  // namespace

DatanodeDaemon::DatanodeDaemon(DatanodeDaemonOptions options)
    : options_(std::move(options)),
      signals_(block_signals()),
      coordinator_(options_.coordinator, options_.identity.address, options_.keys),
      listening_(listening_gap_max),
      pools_(options_.folder, "BP-"),
      log_(options_.log) {
  DatanodeIdentity identity = options_.identity;
  if (!identity.is_long_running()) {
    make_datanode(identity.run, options_.store, options_.socket_timeout);
    identity.transfer_port = datanode_->transfer_port();
    identity.http_port = web_->port();
  }
  session_.emplace(
      std::move(identity),
      CoordinatorSession::Sources{
          [this] { return datanode_ ? datanode_->usage() : DatanodeUsage{}; },
          [this] { return datanode_ ? datanode_->replicas() : std::vector<ReportedReplica>(); },
          [this] { return datanode_ ? to_wire(datanode_->counters()) : wire::TransferReport{}; }});
}

void DatanodeDaemon::make_datanode(const std::string& run, const StoreOptions& store,
                                   std::chrono::milliseconds socket_timeout) {
  DatanodeServiceOptions options;
  options.address = options_.identity.address;
  options.transfer_port = options_.transfer_port;
  options.store = store;
  options.transfers.read_timeout = socket_timeout;
  options.links = options_.links.get();
  options.pool = run;
  options.folder = pools_.open(run);
  datanode_ = std::make_unique<DatanodeService>(options, link_);
  DatanodeWebOptions web;
  web.place = {options_.identity.address, options_.http_port};
  web_ = std::make_unique<DatanodeWebServer>(web);
  pool_ = run;
}

ExitCode DatanodeDaemon::run() {
  notice_.ready();
  for (;;) {
    notice_.turn();
    take_news();
    session_->tick(now());
    send_log();
    send_messages();
    log_status();
    if (stop_) return finish(*stop_);
    if (const auto& end = session_->end()) {
      if (end->kind == CoordinatorSession::End::Kind::refused) {
        spdlog::error("the coordinator rejected this datanode: {}", end->reason);
        return ExitCode::run_failed;
      }
      if (!options_.identity.is_long_running()) return finish(end->reason);
      session_->send_goodbye(end->reason);
      send_messages();
      leave_run();
    }
    wait();
    listening_.look();
    if (has_stop_request()) continue;
    receive();
  }
}

// The session's time leaves out what this process itself stood still: that is not the coordinator's
// silence.
CoordinatorSession::Now DatanodeDaemon::now() const {
  return {listening_.now(),
          std::chrono::time_point_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now())};
}

// ---- the datanode ----

void DatanodeDaemon::take_news() {
  for (QueuedLink::News& news : link_.take()) {
    visit_all(
        std::move(news), [&](ReplicaChange&& change) { session_->report(change); },
        [&](NamenodeLink::Call&& call) { session_->call(std::move(call), now()); },
        [&](QueuedLink::Stored&& stored) { session_->stored(stored.order, stored.result); });
  }
}

void DatanodeDaemon::carry_out() {
  for (const CoordinatorSession::Order& order : session_->take_orders()) {
    std::visit([this](const auto& what) { execute(what); }, order);
  }
}

void DatanodeDaemon::execute(const wire::DatanodeWelcome& welcome) {
  // A predecessor may have left replicas.
  if (session_->run() == wire::no_run) {
    pools_.remove_all();
    return;
  }
  if (datanode_ == nullptr || pool_ != session_->run()) {
    end_datanode();  // it has the ports
    StoreOptions store = options_.store;
    store.kind = to_store_kind(welcome.store);
    store.capacity = static_cast<std::uint64_t>(welcome.capacity);
    make_datanode(session_->run(), store, welcome.socket_timeout);
  }
  static_cast<void>(administer(welcome.rates));  // a datanode takes any
  datanode_->set_node(welcome.node);
  web_->set_namenode(endpoint_of(welcome.namenode));
  datanode_->set_neighbours(to_neighbours(welcome.machines));
}

void DatanodeDaemon::execute(const wire::MachineNews& news) {
  if (datanode_) datanode_->set_neighbours(to_neighbours(news.machines));
}

void DatanodeDaemon::execute(const wire::DatanodeOrders& orders) {
  if (!datanode_) return;
  std::vector<DatanodePeer> peers;
  for (const wire::DatanodeAddress& address : orders.addresses) {
    peers.push_back({.node = address.node,
                     .name = address.name,
                     .address = address.address,
                     .rack = address.rack,
                     .transfer_port = address.transfer_port});
  }
  datanode_->execute(orders.orders, peers);
}

void DatanodeDaemon::execute(const wire::ReportAnswer& answer) {
  if (datanode_) datanode_->remove_unknown(answer.reply.unknown);
}

void DatanodeDaemon::execute(const wire::StoreOrder& order) {
  if (!datanode_) return;
  std::vector<OrderedReplica> replicas;
  replicas.reserve(order.blocks.size());
  for (std::size_t i = 0; i < order.blocks.size(); ++i) {
    const BlockName& block = order.blocks[i];
    replicas.push_back({block.id, block.generation_stamp, static_cast<std::uint64_t>(block.length),
                        order.datasets.empty() ? BlockDataset() : order.datasets[i]});
  }
  datanode_->store(order.number, std::move(replicas));
}

void DatanodeDaemon::execute(const wire::AdministrationOrder& order) {
  session_->administered(order.number, administer(order.what));
}

Status DatanodeDaemon::administer(const DatanodeOrder& order) {
  if (!datanode_) return Error{"the datanode serves no run"};
  return visit_all(
      order,
      [&](const SetDatanodeRates& rates) -> Status {
        datanode_->set_rates(rates.disk_bytes_per_second, rates.network_bytes_per_second,
                             rates.seek_latency);
        return success();
      },
      [&](const CorruptReplica& damage) -> Status {
        return datanode_->damage(damage.block_id, damage.offset, damage.bytes);
      },
      [&](const StopDatanode&) -> Status {
        stop_ = "an administrator stopped it";
        return success();
      });
}

void DatanodeDaemon::end_datanode() {
  web_.reset();
  datanode_.reset();
}

// Nobody asks for its replicas any more.
void DatanodeDaemon::leave_run() {
  end_datanode();
  link_.take();
  pools_.remove_all();
  session_->leave_run(now());
}

// ---- the coordinator ----

void DatanodeDaemon::receive() {
  using Received = agent::CoordinatorSocket::Received;
  zmq::message_t payload;
  // Bounded, so that a flood does not keep heartbeats back.
  for (int i = 0; i < 1'000; ++i) {
    const Received received = coordinator_.receive(payload);
    if (received == Received::nothing) return;
    std::string problem = "a message of several parts";
    if (received == Received::message) {
      const Result<wire::Message> message =
          wire::decode(std::span(static_cast<const std::byte*>(payload.data()), payload.size()));
      if (message) {
        session_->take(*message, now());
        carry_out();
        continue;
      }
      problem = message.error().message;
    }
    if (garbage_++ == 0) spdlog::error("dropped a malformed message: {}", problem);
  }
}

void DatanodeDaemon::send_messages() {
  for (const wire::Message& message : session_->take_messages()) {
    if (!coordinator_.send(encoder_.encode(message)) && unsent_++ == 0) {
      spdlog::warn("dropped a message to the coordinator: its queue is full");
    }
  }
}

void DatanodeDaemon::send_log() {
  if (!session_->is_welcome()) return;
  if (auto log = log_.next()) session_->send_log(std::move(*log));
}

void DatanodeDaemon::log_status() {
  if (session_->refusal() != logged_refusal_ && !session_->refusal().empty()) {
    spdlog::error("the coordinator at {} rejects this datanode: {}", options_.coordinator,
                  session_->refusal());
  }
  logged_refusal_ = session_->refusal();
  const bool has_run = session_->run() != wire::no_run;
  if (session_->is_welcome() != was_welcome_) {
    was_welcome_ = session_->is_welcome();
    if (was_welcome_ && has_run) spdlog::info("registered in run {}", session_->run());
    if (was_welcome_ && !has_run) spdlog::info("registered with {}", options_.coordinator);
  }
  if (!was_welcome_) {
    notice_.status("asks " + options_.coordinator + " to be taken");
  } else {
    notice_.status(has_run ? "in run " + session_->run() : "registered; no run with storage");
  }
}

void DatanodeDaemon::wait() {
  const auto until = listening_.to_monotonic(session_->next_tick());
  const auto now = std::chrono::steady_clock::now();
  const auto left = until >= now + loop_period_max
                        ? loop_period_max
                        : std::chrono::ceil<std::chrono::milliseconds>(std::max(until, now) - now);
  std::vector<zmq::pollitem_t> items = {
      {coordinator_.socket().handle(), 0, ZMQ_POLLIN, 0},
      {nullptr, signals_.number(), ZMQ_POLLIN, 0},
      {nullptr, link_.descriptor(), ZMQ_POLLIN, 0},
  };
  if (options_.lifeline.is_open()) {
    items.push_back({nullptr, options_.lifeline.number(), ZMQ_POLLIN, 0});
  }
  try {
    zmq::poll(items, std::min(left, notice_.turn_max()));
  } catch (const zmq::error_t& error) {
    if (error.num() != EINTR) throw EnvironmentError(std::string("poll: ") + error.what());
  }
}

// ---- the end ----

bool DatanodeDaemon::has_stop_request() {
  signalfd_siginfo info = {};
  if (read(signals_.number(), &info, sizeof(info)) == sizeof(info)) {
    stop_ = "received a stop request";
    return true;
  }
  if (!options_.lifeline.is_open()) return false;
  pollfd lifeline = {options_.lifeline.number(), POLLIN, 0};
  if (poll(&lifeline, 1, 0) <= 0) return false;
  stop_ = "the owner of the run has ended";
  is_owner_gone_ = true;
  return true;
}

ExitCode DatanodeDaemon::finish(const std::string& reason) {
  notice_.stopping();
  session_->send_goodbye(reason);
  send_messages();
  using Unsent = agent::CoordinatorSocket::Unsent;
  coordinator_.close(is_owner_gone_ ? Unsent::dropped : Unsent::sent);
  end_datanode();
  if (is_owner_gone_) remove_replicas();
  spdlog::info("ends: {}", reason);
  return ExitCode::success;
}

// The run's owner would have done that.
void DatanodeDaemon::remove_replicas() {
  std::error_code ignored;
  const std::filesystem::path run = options_.folder.parent_path();
  std::filesystem::remove_all(options_.folder, ignored);
  std::filesystem::remove(run / "links", ignored);
  std::filesystem::remove(run, ignored);  // if it was the last
}

}  // namespace tracebed
