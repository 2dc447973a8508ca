#include "agents/datanode_web/web_connection.h"

#include <algorithm>

#include "hdfs_client/dead_datanodes.h"
#include "hdfs_client/file_reader.h"
#include "hdfs_client/file_writer.h"
#include "hdfs_client/remote_checksum.h"
#include "protocol/webhdfs/percent_coding.h"
#include "protocol/webhdfs/web_json.h"

namespace tracebed {
namespace {

using namespace webhdfs;
using Clock = TransferSocket::Clock;

// What an HTTP server without authentication calls clients that name no user
// (hadoop.http.staticuser.user).
constexpr const char* default_user = "dr.who";
constexpr std::string_view io_exception = "java.io.IOException";
// The largest reply has the locations of a file's next ten blocks.
constexpr std::size_t reply_bytes_max = std::size_t{4} << 20;
// For a client to read why its upload failed while it is still sending.
constexpr std::chrono::seconds drain_timeout(3);

std::optional<HttpMethod> method_named(std::string_view name) {
  if (name == "GET") return HttpMethod::get;
  if (name == "PUT") return HttpMethod::put;
  if (name == "POST") return HttpMethod::post;
  if (name == "DELETE") return HttpMethod::remove;
  return std::nullopt;
}

WebFailure io_failure(std::string message) {
  return {std::string(io_exception), std::move(message)};
}

WebFailure failure_of(const hdfs::ClientFailure& failure) {
  if (failure.exception_class.empty()) return io_failure(failure.message);
  return {failure.exception_class, failure.message};
}

std::string open_head(std::uint64_t length, bool keeps) {
  return "HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\nContent-Length: " +
         std::to_string(length) + (keeps ? "" : "\r\nConnection: close") + "\r\n\r\n";
}

// HDFS names the URI of the file in its own scheme.
std::string created_location(const hdfs::Endpoint& namenode, const std::string& path) {
  return "webhdfs://" + namenode.text() + percent_encoded(path);
}

hdfs::ClientResult<hdfs::CreateOptions> create_options(hdfs::NamenodeClient& namenode,
                                                       const WebParameters& parameters) {
  const auto defaults = namenode.call(hdfs::pb::GetServerDefaultsRequest());
  if (!defaults) return defaults.error();
  const hdfs::pb::FsServerDefaults& server = defaults->server_defaults();
  hdfs::CreateOptions options;
  options.overwrites = parameters.overwrite.value_or(false);
  options.creates_parents = parameters.create_parent.value_or(true);
  options.permission = static_cast<std::uint32_t>(parameters.permission.value_or(0644));
  options.replication = parameters.replication ? static_cast<std::uint32_t>(*parameters.replication)
                                               : server.replication();
  options.block_size = parameters.block_size ? static_cast<std::uint64_t>(*parameters.block_size)
                                             : server.block_size();
  return options;
}

}  // namespace

void DatanodeWebConnection::run() {
  while (serve_next() == Next::request) input_.release();
}

DatanodeWebConnection::Next DatanodeWebConnection::serve_next() {
  if (!input_.fill(1, Clock::now() + environment_.timeout)) return Next::close;
  const auto head =
      input_.next<HttpHead>([](hdfs::Bytes unread) { return parse_http_head(unread); },
                            Clock::now() + environment_.timeout);
  if (!head) {
    const TransferError& error = head.error();
    if (error.failure != TransferFailure::malformed) return Next::close;
    return fail(illegal_argument("Bad request: " + error.message), false);
  }
  // The head's texts view the input, which a body moves.
  const std::string method(head->value.method);
  const std::string target(head->value.target);
  HttpHead kept = head->value;
  kept.method = method;
  kept.target = target;
  input_.consume(head->bytes);
  return serve(kept);
}

DatanodeWebConnection::Next DatanodeWebConnection::serve(const HttpHead& head) {
  const bool keeps = head.keeps_connection && !head.has_body();
  const std::optional<HttpMethod> method = method_named(head.method);
  if (!method) {
    WebResponse none;
    none.status = 405;
    none.allow = "GET, PUT, POST, DELETE";
    return answer(std::move(none), false);
  }
  const auto request = parse_web_request(*method, head.target);
  if (!request) return fail(request.error(), keeps);
  if (!is_redirected(request->operation)) {
    return fail(unsupported_operation(std::string(operation_name(request->operation)) +
                                      " is served by the namenode"),
                keeps);
  }
  const WebParameters& parameters = request->parameters;
  if (parameters.doas && *parameters.doas != parameters.user_name.value_or(default_user)) {
    return fail({"org.apache.hadoop.security.authorize.AuthorizationException",
                 "User: " + parameters.user_name.value_or(default_user) +
                     " is not allowed to impersonate " + *parameters.doas},
                keeps);
  }
  const auto& namenode = environment_.namenode;
  if (!namenode) return fail(io_failure("the datanode serves no run with a namenode"), keeps);
  return execute(*request, head);
}

DatanodeWebConnection::Next DatanodeWebConnection::execute(const WebRequest& request,
                                                           const HttpHead& head) {
  hdfs::RpcOptions options;
  options.connection.local_address = environment_.address;
  options.connection.interrupt = environment_.interrupt;
  options.user = request.parameters.user_name.value_or(default_user);
  options.reply_bytes_max = reply_bytes_max;
  hdfs::NamenodeClient namenode(*environment_.namenode, options);
  const bool keeps = head.keeps_connection && !head.has_body();
  if (request.operation == WebOperation::open) return open_file(namenode, request, keeps);
  if (request.operation != WebOperation::get_file_checksum) {
    return write_file(namenode, request, head);
  }
  hdfs::DeadDatanodes dead;
  const auto checksum =
      hdfs::remote_file_checksum(namenode, dead, request.path, options.connection);
  if (!checksum) return fail(failure_of(checksum.error()), keeps);
  return answer(json_response(file_checksum_json(*checksum)), keeps);
}

DatanodeWebConnection::Next DatanodeWebConnection::open_file(hdfs::NamenodeClient& namenode,
                                                             const WebRequest& request,
                                                             bool keeps) {
  hdfs::FileReadOptions options;
  options.connection = namenode.options().connection;
  hdfs::DeadDatanodes dead;
  const auto offset = static_cast<std::uint64_t>(request.parameters.offset.value_or(0));
  const auto wanted = request.parameters.length
                          ? static_cast<std::uint64_t>(*request.parameters.length)
                          : ~std::uint64_t{0};
  auto reader =
      hdfs::FileReader::open(namenode, dead, request.path, offset, wanted, std::move(options));
  if (!reader) return fail(failure_of(reader.error()), keeps);
  const std::uint64_t file_length = reader->file_length();
  if (offset > file_length || (offset == file_length && file_length > 0)) {
    return fail(io_failure("Offset=" + std::to_string(offset) + " out of the range [0, " +
                           std::to_string(file_length) + "); OPEN, path=" + request.path),
                keeps);
  }
  const std::uint64_t length = std::min(wanted, file_length - offset);
  if (!socket_.send(open_head(length, keeps), environment_.timeout)) return Next::close;
  // A client that is sent less than it was promised knows that it has not all.
  for (std::uint64_t sent = 0; sent < length;) {
    const auto bytes = reader->next();
    if (!bytes || bytes->empty() || !socket_.send(*bytes, environment_.timeout)) return Next::close;
    sent += bytes->size();
  }
  return keeps ? Next::request : Next::close;
}

DatanodeWebConnection::Next DatanodeWebConnection::write_file(hdfs::NamenodeClient& namenode,
                                                              const WebRequest& request,
                                                              const HttpHead& head) {
  hdfs::FileWriteOptions options;
  options.connection = namenode.options().connection;
  const bool creates = request.operation == WebOperation::create;
  const bool keeps_unread = head.keeps_connection && !head.has_body();
  const auto open = [&]() -> hdfs::ClientResult<hdfs::FileWriter> {
    if (!creates) return hdfs::FileWriter::append(namenode, request.path, options);
    const auto creation = create_options(namenode, request.parameters);
    if (!creation) return creation.error();
    return hdfs::FileWriter::create(namenode, request.path, *creation, options);
  };
  auto writer = open();
  if (!writer) return fail(failure_of(writer.error()), keeps_unread);
  constexpr std::string_view go_on = "HTTP/1.1 100 Continue\r\n\r\n";
  if (head.expects_continue && !socket_.send(go_on, environment_.timeout)) return Next::close;
  RequestBody body(head, input_, environment_.timeout);
  for (;;) {
    const auto bytes = body.next();
    // The file stays open, as that of any writer that dies, until its lease expires.
    if (!bytes && bytes.error().failure != TransferFailure::malformed) return Next::close;
    if (!bytes) return fail(illegal_argument("Bad request: " + bytes.error().message), false);
    if (bytes->empty()) break;
    if (const auto written = writer->write(*bytes); !written) {
      return fail(failure_of(written.error()), false);
    }
  }
  if (const auto closed = writer->close(); !closed) return fail(failure_of(closed.error()), false);
  WebResponse done;
  if (creates) {
    done.status = 201;
    done.location = created_location(*environment_.namenode, request.path);
  }
  return answer(std::move(done), head.keeps_connection);
}

DatanodeWebConnection::Next DatanodeWebConnection::answer(WebResponse answer, bool keeps) {
  answer.closes_connection |= !keeps;
  const bool closes = answer.closes_connection;
  std::string bytes;
  append_response(bytes, answer);
  if (!socket_.send(bytes, environment_.timeout)) return Next::close;
  if (!closes) return Next::request;
  socket_.drain(drain_timeout);
  return Next::close;
}

DatanodeWebConnection::Next DatanodeWebConnection::fail(const WebFailure& failure, bool keeps) {
  return answer(failure_response(failure), keeps);
}

}  // namespace tracebed
