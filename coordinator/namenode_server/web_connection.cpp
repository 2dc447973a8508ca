#include "coordinator/namenode_server/web_connection.h"

#include <optional>
#include <utility>

#include "coordinator/namenode_server/web_operations.h"

namespace tracebed {
namespace {

using namespace webhdfs;

// What an HTTP server without authentication calls clients that name no user
// (hadoop.http.staticuser.user).
constexpr std::string_view default_user = "dr.who";

std::optional<HttpMethod> method_named(std::string_view name) {
  if (name == "GET") return HttpMethod::get;
  if (name == "PUT") return HttpMethod::put;
  if (name == "POST") return HttpMethod::post;
  if (name == "DELETE") return HttpMethod::remove;
  return std::nullopt;
}

WebResponse failed(const hdfs::RpcError& error) {
  return failure_response({error.exception_class, error.message});
}

WebResponse no_such_method() {
  WebResponse answer{.status = 405, .body = {}, .location = {}, .allow = "GET, PUT, POST, DELETE"};
  answer.closes_connection = true;
  return answer;
}

}  // namespace

void WebConnection::write(StreamConnection& stream, WebResponse answer, bool closes_connection) {
  answer.closes_connection |= closes_connection;
  append_response(stream.out(), answer);
  if (answer.closes_connection) stream.end();
}

std::size_t WebConnection::take(std::span<const std::byte> unread) {
  const auto parsed = parse_http_head(unread);
  if (const auto* bad = std::get_if<hdfs::Malformed>(&parsed)) {
    write(stream_, failure_response(illegal_argument("Bad request: " + bad->reason)), true);
    return unread.size();
  }
  const auto* head = std::get_if<hdfs::Parsed<HttpHead>>(&parsed);
  if (head == nullptr) return 0;
  stream_.prove();
  answer(head->value);
  return head->bytes;
}

void WebConnection::answer(const HttpHead& head) {
  // What follows such a request is its body.
  const bool closes = !head.keeps_connection || head.has_body();
  const std::optional<HttpMethod> method = method_named(head.method);
  if (!method) return write(stream_, no_such_method(), true);
  const auto request = parse_web_request(*method, head.target);
  if (!request) return write(stream_, failure_response(request.error()), closes);
  const HdfsCaller caller{request->parameters.user_name.value_or(std::string(default_user)),
                          stream_.address(), stream_.number()};
  if (request->parameters.doas && *request->parameters.doas != caller.user) {
    return write(stream_,
                 failed(hdfs_failure(authorization_class, "User: " + caller.user +
                                                              " is not allowed to impersonate " +
                                                              *request->parameters.doas)),
                 closes);
  }
  const bool is_open = desk_.gate.read([&](const StorageGate::View& view) {
    execute(HdfsCallContext(view, desk_.ids, caller), *request, head);
  });
  if (!is_open) write(stream_, failed(no_run_failure()), closes);
}

void WebConnection::execute(const HdfsCallContext& context, const WebRequest& request,
                            const HttpHead& head) {
  const bool closes = !head.keeps_connection || head.has_body();
  if (is_change(request.operation)) return submit(context, request, closes);
  if (is_redirected(request.operation)) {
    return write(stream_, redirect(context, request, head.target), closes);
  }
  auto body = read_web(context, request);
  write(stream_, body ? json_response(*std::move(body)) : failed(body.error()), closes);
}

WebResponse WebConnection::redirect(const HdfsCallContext& context, const WebRequest& request,
                                    std::string_view target) const {
  const auto node = datanode_for(context, request);
  if (!node) return failed(node.error());
  const DatanodePlace& place = *context.view.datanodes.find(*node);
  std::string location = "http://" + place.address + ":" + std::to_string(place.http_port) +
                         redirected_target(target, namenode_address());
  return redirection(std::move(location), request.parameters.no_redirect.value_or(false));
}

std::string WebConnection::namenode_address() const {
  const NamenodeAddress& namenode = desk_.namenode;
  const bool is_any = namenode.address == "0.0.0.0";
  return (is_any ? stream_.own_address() : namenode.address) + ":" + std::to_string(namenode.port);
}

void WebConnection::submit(const HdfsCallContext& context, const WebRequest& request, bool closes) {
  ChangeResult change =
      change_web(context, request, "DFSClient_WEBHDFS_" + std::to_string(stream_.number()));
  if (!change) return write(stream_, failed(change.error()), closes);
  stream_.await_reply();
  desk_.submit({stream_.number(), closes}, {{.user = context.caller.user,
                                             .group = {},
                                             .client = std::move(change->client),
                                             .address = context.caller.address,
                                             .node = context.reader.node,
                                             .identity = {}},
                                            std::move(change->operation)});
}

}  // namespace tracebed
