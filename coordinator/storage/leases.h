// Who writes which files, and since when nothing was heard of them (org.apache.hadoop.hdfs.server.
// namenode.LeaseManager). A client has one lease for all files that it has open.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "coordinator/storage/inode.h"
#include "coordinator/storage/namenode_options.h"

namespace tracebed {

class Leases {
 public:
  struct Lease {
    TraceTime renewed{};
    std::set<InodeId> files;
  };

  explicit Leases(const LeaseOptions& options) : options_(options) {}

  // Renews the lease, too.
  void add(const std::string& holder, InodeId file, TraceTime now);
  // A lease without files ends.
  void remove(const std::string& holder, InodeId file);
  // Nothing for one who has none.
  void renew(const std::string& holder, TraceTime now);

  const Lease* find(const std::string& holder) const;
  bool has_passed_soft_limit(const Lease& lease, TraceTime now) const {
    return now - lease.renewed > options_.soft_limit;
  }
  // Ascending by holder.
  const std::map<std::string, Lease>& all() const { return leases_; }

  // When the next passes its hard limit: never, if there is none.
  TraceTime next_expiry() const;
  // The files of those that have passed it, the longest silent first.
  std::vector<std::pair<std::string, InodeId>> expired(TraceTime now) const;

 private:
  LeaseOptions options_;
  std::map<std::string, Lease> leases_;
  std::set<std::pair<TraceTime, std::string>> by_renewal_;
};

}  // namespace tracebed
