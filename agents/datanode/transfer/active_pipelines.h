// Which connections write which blocks, so that a writer that hangs makes room for the next one
// (ReplicaInPipeline.stopWriter interrupts the thread).
#pragma once

#include <cstdint>
#include <map>
#include <mutex>

#include "agents/datanode/transfer/transfer_socket.h"

namespace tracebed {

// Any thread may call these.
class ActivePipelines {
 public:
  // While it lives, the socket's connection writes the block.
  class Membership {
   public:
    Membership(ActivePipelines& pipelines, std::uint64_t block_id, TransferSocket& socket)
        : pipelines_(pipelines), block_id_(block_id), socket_(socket) {
      const std::lock_guard lock(pipelines_.mutex_);
      pipelines_.sockets_.emplace(block_id, &socket);
    }
    ~Membership() {
      const std::lock_guard lock(pipelines_.mutex_);
      const auto [begin, end] = pipelines_.sockets_.equal_range(block_id_);
      for (auto at = begin; at != end; ++at) {
        if (at->second != &socket_) continue;
        pipelines_.sockets_.erase(at);
        return;
      }
    }
    Membership(const Membership&) = delete;
    Membership& operator=(const Membership&) = delete;

   private:
    ActivePipelines& pipelines_;
    std::uint64_t block_id_;
    TransferSocket& socket_;
  };

  // The connections that write the block are shut down, upon which they end.
  void interrupt(std::uint64_t block_id) {
    const std::lock_guard lock(mutex_);
    const auto [begin, end] = sockets_.equal_range(block_id);
    for (auto at = begin; at != end; ++at) at->second->shut_down();
  }

 private:
  std::mutex mutex_;  // guards what follows
  std::multimap<std::uint64_t, TransferSocket*> sockets_;
};

}  // namespace tracebed
