// Bytes that a task read from HDFS, by where the replica was (NodeType of YARN, as seen from the
// task).
#pragma once

#include <cstdint>

namespace tracebed {

struct ReadBytes {
  std::int64_t node_local = 0;
  std::int64_t rack_local = 0;
  std::int64_t off_rack = 0;

  std::int64_t total() const { return node_local + rack_local + off_rack; }
  ReadBytes& operator+=(const ReadBytes& other) {
    node_local += other.node_local;
    rack_local += other.rack_local;
    off_rack += other.off_rack;
    return *this;
  }
  ReadBytes& operator*=(std::int64_t count) {
    node_local *= count;
    rack_local *= count;
    off_rack *= count;
    return *this;
  }
  bool operator==(const ReadBytes&) const = default;
};

}  // namespace tracebed
