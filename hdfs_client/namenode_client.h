// A client of a namenode: calls of ClientProtocol, under a client name of its own, which leases of
// files that it writes belong to. All functions belong to one thread.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "hdfs_client/namenode_calls.h"
#include "hdfs_client/rpc_channel.h"

namespace tracebed::hdfs {

class NamenodeClient {
 public:
  // Half of HdfsConstants.LEASE_SOFTLIMIT_PERIOD, as
  // org.apache.hadoop.hdfs.client.impl.LeaseRenewer has it.
  static constexpr std::chrono::milliseconds lease_renewal{30'000};

  // A client that writes has a name of its own, as leases are by name: one is made up if none is
  // given.
  NamenodeClient(Endpoint namenode, RpcOptions options, std::string client_name = {});

  // namenode.call(pb::MkdirsRequest) yields a pb::MkdirsResponse, and so on for all of
  // namenode_calls.h.
  template <class Request>
  ClientResult<typename CallOf<Request>::Response> call(const Request& request) {
    typename CallOf<Request>::Response response;
    const ClientStatus called = call(CallOf<Request>::method, request, response);
    if (!called) return called.error();
    return response;
  }

  // ---- what takes several calls, or has an answer that is easily misread ----

  // Nothing if there is no such file or directory.
  ClientResult<std::optional<pb::HdfsFileStatus>> file_info(const std::string& path);
  // Every entry of a directory, or the file itself, a part of it at a time: at most `entries_max`
  // entries; more are a failure. An entry's name is its `path`.
  ClientResult<std::vector<pb::HdfsFileStatus>> listing(const std::string& path,
                                                        std::size_t entries_max = 1u << 20);

  // Renews the lease of this client's open files if that has not been done for `lease_renewal`: to
  // be called again and again while files are being written. A namenode that does not answer is no
  // failure here, as the lease may well live on: only an interruption is.
  ClientStatus renew_lease_if_due();
  // When renew_lease_if_due() has something to do.
  Deadline lease_renewal_due() const { return lease_renewal_due_; }

  // The given one, or "DFSClient_NONMAPREDUCE_…", as Hadoop's clients are named.
  const std::string& client_name() const { return client_name_; }
  const Endpoint& endpoint() const { return channel_.server(); }
  const RpcOptions& options() const { return channel_.options(); }
  // For back-off and the choice of ids; no decision of a run depends on it.
  Random& random() { return channel_.random(); }

 private:
  ClientStatus call(NamenodeMethod method, const google::protobuf::MessageLite& request,
                    google::protobuf::MessageLite& response);

  RpcChannel channel_;
  std::string client_name_;
  Deadline lease_renewal_due_ = Deadline::after(lease_renewal);
};

}  // namespace tracebed::hdfs
