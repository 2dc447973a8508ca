// The digest of a workload: everything in its jobs, with users and queues by name. Two files with
// equal digests hold the same work, whatever their formats.
#pragma once

#include <string>

#include "core/digest.h"
#include "core/names.h"
#include "core/workload.h"

namespace tracebed {

class WorkloadDigest {
 public:
  // `names` are those of the jobs, and outlive this.
  explicit WorkloadDigest(const Names& names) : names_(names) {}

  void add(const Job& job);
  // 32 hexadecimal digits.
  std::string to_string() const { return digest_.to_string(); }

 private:
  void add(const Stage& stage);
  void add(const std::string& text);
  void add_number(std::uint64_t number) { digest_.add(number); }
  void add(Duration duration) { digest_.add(static_cast<std::uint64_t>(duration.count())); }

  const Names& names_;
  Digest digest_;
};

}  // namespace tracebed
