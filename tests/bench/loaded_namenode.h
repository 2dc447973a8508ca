// A namenode with many files on a hundred datanodes, for benchmarks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "coordinator/storage/namenode.h"

namespace tracebed::bench {

inline constexpr unsigned datanodes = 100;
inline constexpr std::int64_t block_size = 128 << 20;

inline void start(Namenode& namenode) {
  for (unsigned i = 0; i < datanodes; ++i) {
    namenode.register_datanode(NodeId(i), RackId(i / 20), trace_time(0));
    namenode.heartbeat(
        NodeId(i),
        {.capacity = 1'000'000'000'000'000, .used = 0, .remaining = 1'000'000'000'000'000},
        trace_time(0));
  }
}

inline std::string path_of(std::size_t file) {
  return "/data/part" + std::to_string(file % 100) + "/file" + std::to_string(file);
}

// Ascending by id for each datanode.
using Reports = std::vector<std::vector<ReportedReplica>>;

// Files of 1 to 10 blocks. `reports`: what datanodes are to report later, or null if they have it
// already.
inline void preload(Namenode& namenode, std::size_t files, Reports* reports) {
  for (std::size_t i = 0; i < files; ++i) {
    const std::int64_t blocks = static_cast<std::int64_t>(1 + i % 10);
    const auto placed = namenode.preload({.path = path_of(i),
                                          .size = blocks * block_size,
                                          .block_size = block_size,
                                          .user = "user",
                                          .writer = NodeId(static_cast<unsigned>(i % datanodes)),
                                          .nodes = {},
                                          .is_stored = reports == nullptr},
                                         trace_time(0));
    if (reports == nullptr) continue;
    for (const LocatedBlock& block : *placed) {
      for (const NodeId node : block.nodes) {
        (*reports)[node.index()].push_back(
            {block.block.id, block.block.generation_stamp, block.block.length});
      }
    }
  }
}

}  // namespace tracebed::bench
