// A client of the namenode over Hadoop RPC that waits for replies, for tests.
#pragma once

#include <array>
#include <gtest/gtest.h>
#include <string>
#include <sys/socket.h>
#include <variant>

#include "client_namenode.pb.h"
#include "protocol/hdfs/bytes.h"
#include "protocol/hdfs/delimited.h"
#include "protocol/hdfs/namenode_method.h"
#include "protocol/hdfs/rpc_client.h"
#include "support/raw_connections.h"

namespace tracebed::test {

class RpcCaller {
 public:
  explicit RpcCaller(std::uint16_t port, const char* from = "127.0.0.1",
                     const std::string& user = "alice")
      : socket_(raw_connection(port, from)) {
    EXPECT_TRUE(socket_.is_open());
    std::string bytes;
    hdfs::append_connection(bytes, user, hdfs::client_protocol, client_id());
    send(bytes);
  }

  void send(const std::string& bytes) const {
    EXPECT_EQ(::send(socket_.number(), bytes.data(), bytes.size(), MSG_NOSIGNAL),
              static_cast<ssize_t>(bytes.size()));
  }
  // Returns the call's number.
  int begin(const std::string& method, const google::protobuf::MessageLite& request) {
    send(call_bytes(method, request, ++last_call_));
    return last_call_;
  }
  static std::string call_bytes(const std::string& method,
                                const google::protobuf::MessageLite& request, int number) {
    std::string bytes;
    hdfs::append_call(bytes, {number, 0, client_id()}, method, hdfs::client_protocol, request);
    return bytes;
  }

  struct Reply {
    int call = -1;
    std::string response;  // if `error` is empty
    std::string error;     // an exception's class
    std::string message;
  };
  // The next one; with call = -1 if the server has closed the connection instead.
  Reply receive() {
    for (;;) {
      const auto parsed = hdfs::parse_reply(view(unread_), std::size_t{128} << 20);
      if (const auto* reply = std::get_if<hdfs::Parsed<hdfs::RpcReply>>(&parsed)) {
        Reply result{.call = reply->value.key.call_id, .response = {}, .error = {}, .message = {}};
        if (const auto* error = std::get_if<hdfs::RpcError>(&reply->value.result)) {
          result.error = error->exception_class;
          result.message = error->message;
        } else {
          result.response = text(std::get<hdfs::Bytes>(reply->value.result));
        }
        unread_.erase(0, reply->bytes);
        return result;
      }
      std::array<char, 65536> piece;
      const ssize_t got = ::recv(socket_.number(), piece.data(), piece.size(), 0);
      if (got <= 0) return {};
      unread_.append(piece.data(), static_cast<std::size_t>(got));
    }
  }
  Reply call(const std::string& method, const google::protobuf::MessageLite& request) {
    const int number = begin(method, request);
    Reply reply = receive();
    EXPECT_EQ(reply.call, number);
    return reply;
  }
  // The response of a call that succeeds.
  template <class Response>
  Response ask(const std::string& method, const google::protobuf::MessageLite& request) {
    const Reply reply = call(method, request);
    EXPECT_EQ(reply.error, "") << method << ": " << reply.message;
    Response response;
    EXPECT_TRUE(hdfs::parse_message(view(reply.response), response)) << method;
    return response;
  }
  const FileDescriptor& socket() const { return socket_; }

 private:
  static hdfs::RpcClientId client_id() {
    hdfs::RpcClientId id;
    const std::string_view name = "0123456789abcdef";
    std::copy(name.begin(), name.end(), id.bytes.begin());
    id.size = static_cast<std::uint8_t>(name.size());
    return id;
  }

  FileDescriptor socket_;
  std::string unread_;
  int last_call_ = 0;
};

}  // namespace tracebed::test
