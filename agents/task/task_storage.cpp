#include "agents/task/task_storage.h"

#include <charconv>
#include <string>

#include "core/transfer_weight.h"

namespace tracebed {

Result<hdfs::Endpoint> namenode_endpoint(const InputSource& source) {
  const std::string& text = source.namenode;
  const Error none{"there is no namenode at '" + text + "'"};
  const std::size_t colon = text.rfind(':');
  if (colon == std::string::npos) return none;
  hdfs::Endpoint endpoint{text.substr(0, colon), 0};
  const char* const end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data() + colon + 1, end, endpoint.port);
  if (parsed.ec != std::errc{} || parsed.ptr != end) return none;
  return endpoint;
}

hdfs::RpcOptions task_rpc_options(const InputSource& source, int interrupt) {
  hdfs::RpcOptions options;
  options.connection.local_address = source.address;
  options.connection.interrupt = interrupt;
  options.user = "tracebed";
  options.reply_bytes_max = std::size_t{4} << 20;
  return options;
}

hdfs::ConnectionOptions datanode_connection_options(const hdfs::RpcOptions& options,
                                                    const TaskWork& work) {
  hdfs::ConnectionOptions connection = options.connection;
  connection.transfer_weight = stated_transfer_weight(work);
  return connection;
}

hdfs::ConnectionOptions shuffle_connection_options(const WorkSpec& spec, int interrupt) {
  hdfs::ConnectionOptions options;
  options.local_address = spec.input.address;
  options.interrupt = interrupt;
  options.transfer_weight = stated_transfer_weight(spec.work);
  return options;
}

std::int64_t ReadBytes::*distance_to(const InputSource& source, const std::string& address,
                                     const std::string& rack) {
  if (address == source.address) return &ReadBytes::node_local;
  // Racks are network locations in HDFS, with a slash before them.
  const bool is_near = rack == source.rack || rack == "/" + source.rack;
  return is_near ? &ReadBytes::rack_local : &ReadBytes::off_rack;
}

}  // namespace tracebed
