// A whole storage cluster in the test's process: a namenode with its doors, run by a thread as a
// run does, and real datanodes, each at a loopback address of its own.
#pragma once

#include <algorithm>
#include <atomic>
#include <deque>
#include <memory>
#include <mutex>
#include <poll.h>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "agents/datanode/service/datanode_service.h"
#include "agents/datanode_web/datanode_web_server.h"
#include "coordinator/namenode_server/namenode_rpc_server.h"
#include "coordinator/namenode_server/webhdfs_server.h"
#include "coordinator/real/storage_gate.h"
#include "coordinator/storage/block_locations.h"
#include "core/visit.h"
#include "support/eventually.h"
#include "support/temporary_folder.h"
#include "system/event_descriptor.h"

namespace tracebed::test {

class StorageCluster {
 public:
  static constexpr const char* pool = "run-1";

  explicit StorageCluster(std::uint32_t nodes = 3, const DatanodeIntervals& intervals = {})
      : namenode_(options(intervals), now()) {
    for (std::uint32_t i = 0; i < nodes; ++i) links_.emplace_back(*this, NodeId(i));
    for (std::uint32_t i = 0; i < nodes; ++i) start(i);
    gate_.open({.namenode = &namenode_,
                .pool = pool,
                .now = [this] { return now(); },
                .times = {[](TraceTime time) { return to_microseconds(time) / 1000; },
                          [](std::int64_t epoch) { return trace_time(epoch * 1000); }}});
    for (std::uint32_t i = 0; i < nodes; ++i) {
      gate_.set_place(NodeId(i), {.name = "host" + std::to_string(i),
                                  .address = address(i),
                                  .transfer_port = datanodes_[i]->transfer_port(),
                                  .http_port = webs_[i]->port(),
                                  .rack = "/default-rack"});
    }
    rpc_.emplace(gate_, ClientServerOptions());
    for (const auto& web : webs_) web->set_namenode(namenode_endpoint());
    web_.emplace(gate_, ClientServerOptions(), NamenodeAddress{"127.0.0.1", rpc_->port()});
    thread_ = std::thread([this] { run(); });
  }
  ~StorageCluster() {
    // While the run still answers: a server that reads waits for it.
    web_.reset();
    rpc_.reset();
    has_ended_ = true;
    has_news_.ring();
    thread_.join();
    gate_.close("the test has ended");
  }

  hdfs::Endpoint namenode_endpoint() const { return {"127.0.0.1", rpc_->port()}; }
  std::string webhdfs() const { return "http://127.0.0.1:" + std::to_string(web_->port()); }
  std::string webhdfs_of(std::uint32_t node) const {
    return "http://" + address(node) + ":" + std::to_string(webs_[node]->port());
  }
  DatanodeService& datanode(std::uint32_t node) { return *datanodes_[node]; }
  DatanodeWebServer& web(std::uint32_t node) { return *webs_[node]; }
  // Its process ends; the namenode does not know yet.
  void stop(std::uint32_t node) {
    const std::lock_guard lock(datanodes_mutex_);
    datanodes_[node].reset();
  }
  // Nothing passes between the datanode and the namenode from now on; clients reach both.
  void partition(std::uint32_t node) {
    const std::lock_guard lock(datanodes_mutex_);
    partitioned_.insert(node);
  }
  // The datanode registers again and sends a full block report.
  void heal(std::uint32_t node) {
    const std::lock_guard lock(datanodes_mutex_);
    partitioned_.erase(node);
    returning_.insert(node);
  }
  // A file is closed as soon as one datanode has reported each block. Tests that take datanodes
  // away wait until so many have.
  bool has_replicas(const std::string& path, std::size_t wanted) const {
    bool has_all = false;
    gate_.read([&](const StorageGate::View& view) {
      const auto located =
          block_locations(view.state, path, 0, std::int64_t{1} << 60, Reader{}, view.now);
      has_all = located && std::all_of(located->blocks.begin(), located->blocks.end(),
                                       [&](const LocatedBlock& block) {
                                         return block.nodes.size() >= wanted;
                                       });
    });
    return has_all;
  }
  // Live ones, as the namenode sees it.
  std::size_t live() const {
    std::size_t count = 0;
    gate_.read([&](const StorageGate::View& view) { count = view.state.datanodes.live(); });
    return count;
  }
  static std::string address(std::uint32_t node) { return "127.0.1." + std::to_string(node + 1); }

 private:
  class Link : public NamenodeLink {
   public:
    Link(StorageCluster& cluster, NodeId node) : cluster_(cluster), node_(node) {}
    void report(const ReplicaChange& change) override { cluster_.add({node_, change}); }
    void call(const Call& call) override { cluster_.add({node_, call}); }
    void stored(std::uint64_t, const Status&) override {}

   private:
    StorageCluster& cluster_;
    NodeId node_;
  };
  struct News {
    NodeId node;
    std::variant<ReplicaChange, NamenodeLink::Call> what;
  };

  static NamenodeOptions options(const DatanodeIntervals& intervals) {
    NamenodeOptions options;
    options.intervals = intervals;
    options.limits.block_size_min = 1;
    options.safe_mode.at_start = false;
    return options;
  }
  TraceTime now() const {
    const auto since = std::chrono::steady_clock::now() - begin_;
    return trace_time(std::chrono::duration_cast<std::chrono::microseconds>(since).count());
  }
  void add(News news) {
    const std::lock_guard lock(news_mutex_);
    news_.push_back(std::move(news));
    has_news_.ring();
  }

  void start(std::uint32_t node) {
    DatanodeServiceOptions options;
    options.pool = pool;
    options.folder = folder_.path() / std::to_string(node);
    options.address = address(node);
    datanodes_.push_back(std::make_unique<DatanodeService>(options, links_[node]));
    datanodes_.back()->set_node(NodeId(node));
    webs_.push_back(std::make_unique<DatanodeWebServer>(
        DatanodeWebOptions{.place = {address(node), 0}, .timeout = std::chrono::seconds(20)}));
    namenode_.register_datanode(NodeId(node), RackId(0u), now());
    namenode_.heartbeat(NodeId(node), datanodes_.back()->usage(), now());
    namenode_.full_report(NodeId(node), {}, now());
  }

  void run() {
    while (!has_ended_) {
      gate_.leave();
      pollfd polled[] = {{gate_.descriptor(), POLLIN, 0}, {has_news_.number(), POLLIN, 0}};
      ::poll(polled, 2, 20);
      gate_.enter();
      take_news();
      for (const StorageCalled& called : gate_.take_calls(100)) {
        gate_.answer({called.ticket, namenode_.call(called.call, now())});
      }
      beat();
      namenode_.advance(now());
    }
    gate_.leave();
    gate_.enter();
  }
  void take_news() {
    std::deque<News> news;
    {
      const std::scoped_lock lock(news_mutex_, datanodes_mutex_);
      std::deque<News> kept;  // of partitioned datanodes
      for (News& one : news_) {
        (partitioned_.contains(one.node.value()) ? kept : news).push_back(std::move(one));
      }
      news_ = std::move(kept);
      has_news_.clear();
    }
    for (const News& one : news) {
      visit_all(
          one.what,
          [&](const ReplicaChange& change) {
            namenode_.incremental_report(one.node, {change}, now());
          },
          [&](const NamenodeLink::Call& call) {
            StorageCall made;
            made.caller.node = one.node;
            visit_all(call, [&](const auto& operation) { made.operation = operation; });
            namenode_.call(made, now());
          });
    }
  }
  void beat() {
    const std::lock_guard lock(datanodes_mutex_);
    std::vector<DatanodePeer> peers;
    for (std::uint32_t i = 0; i < datanodes_.size(); ++i) {
      if (!datanodes_[i] || partitioned_.contains(i)) continue;
      if (returning_.erase(i) > 0) {
        namenode_.register_datanode(NodeId(i), RackId(0u), now());
        namenode_.heartbeat(NodeId(i), datanodes_[i]->usage(), now());
        const ReportReply reply =
            namenode_.full_report(NodeId(i), datanodes_[i]->replicas(), now());
        datanodes_[i]->remove_unknown(reply.unknown);
      }
      peers.push_back({NodeId(i), "host" + std::to_string(i), address(i), "/default-rack",
                       datanodes_[i]->transfer_port()});
    }
    for (const DatanodePeer& peer : peers) {
      DatanodeService& datanode = *datanodes_[peer.node.index()];
      datanode.execute(namenode_.heartbeat(peer.node, datanode.usage(), now()), peers);
    }
  }

  const std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  TemporaryFolder folder_;
  Namenode namenode_;  // of the thread
  StorageGate gate_;
  std::mutex news_mutex_;
  std::deque<News> news_;  // guarded by it
  EventDescriptor has_news_;
  std::deque<Link> links_;
  std::mutex datanodes_mutex_;  // guards whether there is one, and the next two
  std::set<std::uint32_t> partitioned_;
  std::set<std::uint32_t> returning_;
  std::vector<std::unique_ptr<DatanodeService>> datanodes_;
  std::vector<std::unique_ptr<DatanodeWebServer>> webs_;
  std::optional<NamenodeRpcServer> rpc_;
  std::optional<WebHdfsServer> web_;
  std::atomic<bool> has_ended_ = false;
  std::thread thread_;
};

}  // namespace tracebed::test
