#include "hdfs_client/namenode_client.h"

#include <utility>

#include "protocol/hdfs/delimited.h"

namespace tracebed::hdfs {

NamenodeClient::NamenodeClient(Endpoint namenode, RpcOptions options, std::string client_name)
    : channel_(std::move(namenode), std::string(client_protocol), std::move(options)),
      client_name_(std::move(client_name)) {
  if (client_name_.empty()) {
    client_name_ = "DFSClient_NONMAPREDUCE_" + std::to_string(channel_.random().next()) + "_1";
  }
}

ClientStatus NamenodeClient::call(NamenodeMethod method,
                                  const google::protobuf::MessageLite& request,
                                  google::protobuf::MessageLite& response) {
  const ClientResult<Bytes> answer = channel_.call(method_name(method), request);
  if (!answer) return answer.error();
  if (parse_message(*answer, response)) return client_success();
  return ClientFailure{ClientFailureKind::protocol,
                       endpoint().text() + ": the answer to " + std::string(method_name(method)) +
                           " cannot be parsed",
                       {}};
}

ClientResult<std::optional<pb::HdfsFileStatus>> NamenodeClient::file_info(const std::string& path) {
  pb::GetFileInfoRequest request;
  request.set_src(path);
  auto response = call(request);
  if (!response) return response.error();
  if (!response->has_fs()) return std::optional<pb::HdfsFileStatus>();
  return std::optional(std::move(*response->mutable_fs()));
}

ClientResult<std::vector<pb::HdfsFileStatus>> NamenodeClient::listing(const std::string& path,
                                                                      std::size_t entries_max) {
  std::vector<pb::HdfsFileStatus> entries;
  pb::GetListingRequest request;
  request.set_src(path);
  request.set_need_location(false);
  request.set_start_after("");
  while (true) {
    auto response = call(request);
    if (!response) return response.error();
    if (!response->has_dir_list()) {
      return ClientFailure{ClientFailureKind::remote, path + " does not exist",
                           "java.io.FileNotFoundException"};
    }
    pb::DirectoryListing& part = *response->mutable_dir_list();
    for (pb::HdfsFileStatus& entry : *part.mutable_partial_listing()) {
      entries.push_back(std::move(entry));
    }
    if (part.remaining_entries() == 0) return entries;
    // An empty part that claims to have a successor would be asked for again and again.
    if (part.partial_listing_size() == 0 || entries.size() > entries_max) {
      return ClientFailure{ClientFailureKind::protocol,
                           path + ": a listing of more than " + std::to_string(entries_max) +
                               " entries, or one without an end",
                           {}};
    }
    request.set_start_after(entries.back().path());
  }
}

ClientStatus NamenodeClient::renew_lease_if_due() {
  if (!lease_renewal_due_.has_passed()) return client_success();
  lease_renewal_due_ = Deadline::after(lease_renewal);
  pb::RenewLeaseRequest request;
  request.set_client_name(client_name_);
  const auto renewed = call(request);
  if (!renewed && renewed.error().kind == ClientFailureKind::interrupted) return renewed.error();
  return client_success();
}

}  // namespace tracebed::hdfs
