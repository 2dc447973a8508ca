// Safe mode: the namenode changes nothing until enough replicas have been reported (org.apache.
// hadoop.hdfs.server.blockmanagement.BlockManagerSafeMode), or as long as an administrator keeps it
// there (FSNamesystem.enterSafeMode).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "coordinator/storage/namenode_options.h"
#include "core/time.h"

namespace tracebed {

class SafeMode {
 public:
  explicit SafeMode(const SafeModeOptions& options)
      : options_(options), status_(options.at_start ? Status::pending : Status::off) {}

  bool is_on() const { return status_ != Status::off || is_manual_; }
  bool is_at_startup() const { return status_ != Status::off; }
  void enter() { is_manual_ = true; }
  // Both kinds end.
  void leave();

  // How many blocks there are, and how many of them have enough replicas.
  struct Progress {
    std::size_t safe = 0;
    std::size_t total = 0;
    std::size_t live_datanodes = 0;
  };
  // From the thresholds to the extension, or on from there once it has passed. True if safe mode at
  // startup has ended with this.
  bool update(const Progress& progress, TraceTime now);
  // When the extension ends: never, if it has not begun.
  TraceTime next_due() const {
    return status_ == Status::extension ? reached_ + options_.extension : never;
  }
  // The second sentence of a SafeModeException.
  std::string tip(const Progress& progress, TraceTime now) const;

 private:
  enum class Status : std::uint8_t { off, pending, extension };
  bool are_thresholds_met(const Progress& progress) const;
  std::size_t threshold_of(std::size_t total) const;

  SafeModeOptions options_;
  Status status_;
  bool is_manual_ = false;
  TraceTime reached_{};
};

}  // namespace tracebed
