#include "protocol/hdfs/rpc_reply.h"

#include <utility>

#include "core/check.h"
#include "protocol/hdfs/delimited.h"
#include "rpc_headers.pb.h"

namespace tracebed::hdfs {
namespace {

constexpr std::string_view version_mismatch_class = "org.apache.hadoop.ipc.RPC$VersionMismatch";

// org.apache.hadoop.io.WritableUtils.writeString
void append_java_string(std::string& out, std::string_view text) {
  append_big_endian32(out, static_cast<std::uint32_t>(text.size()));
  out += text;
}

// The length of a frame is known when the frame is written.
class Frame {
 public:
  explicit Frame(std::string& out) : out_(out), at_(out.size()) { out_.append(4, '\0'); }
  ~Frame() {
    store_big_endian32(static_cast<std::uint32_t>(out_.size() - at_ - 4),
                       reinterpret_cast<std::byte*>(out_.data() + at_));
  }
  Frame(const Frame&) = delete;
  Frame& operator=(const Frame&) = delete;

 private:
  std::string& out_;
  std::size_t at_;
};

}  // namespace

bool closes_connection(RpcErrorCode code) {
  switch (code) {
    case RpcErrorCode::application:
    case RpcErrorCode::no_such_method:
    case RpcErrorCode::no_such_protocol:
    case RpcErrorCode::rpc_version_mismatch:
      return false;
    case RpcErrorCode::invalid_rpc_header:
    case RpcErrorCode::deserializing_request:
    case RpcErrorCode::version_mismatch:
    case RpcErrorCode::unauthorized:
      return true;
  }
  return true;
}

RpcError no_such_method(std::string_view method, std::string_view protocol) {
  return {RpcErrorCode::no_such_method, "org.apache.hadoop.ipc.RpcNoSuchMethodException",
          "there is no method " + std::string(method) + " of " + std::string(protocol)};
}

RpcError no_such_protocol(std::string_view protocol) {
  return {RpcErrorCode::no_such_protocol, "org.apache.hadoop.ipc.RpcNoSuchProtocolException",
          "there is no protocol " + std::string(protocol)};
}

RpcError malformed_request(std::string_view method) {
  return {RpcErrorCode::application,
          "org.apache.hadoop.thirdparty.protobuf.InvalidProtocolBufferException",
          "the request of " + std::string(method) + " cannot be parsed"};
}

struct RpcReplyWriter::State {
  pb::RpcResponseHeader header;
};

RpcReplyWriter::RpcReplyWriter() : state_(std::make_unique<State>()) {}
RpcReplyWriter::~RpcReplyWriter() = default;
RpcReplyWriter::RpcReplyWriter(RpcReplyWriter&&) noexcept = default;
RpcReplyWriter& RpcReplyWriter::operator=(RpcReplyWriter&&) noexcept = default;

namespace {

void begin_header(pb::RpcResponseHeader& header, const RpcCallKey& key,
                  pb::RpcResponseHeader::RpcStatus status) {
  header.Clear();
  header.set_call_id(static_cast<std::uint32_t>(key.call_id));
  header.set_status(status);
  header.set_server_ipc_version_num(rpc_version);
  header.set_client_id(key.client_id.bytes.data(), key.client_id.size);
  header.set_retry_count(key.retry_count);
}

}  // namespace

void RpcReplyWriter::success(std::string& out, const RpcCallKey& key,
                             const google::protobuf::MessageLite& response) {
  begin_header(state_->header, key, pb::RpcResponseHeader::SUCCESS);
  const Frame frame(out);
  append_delimited(out, state_->header);
  append_delimited(out, response);
}

void RpcReplyWriter::failure(std::string& out, const RpcCallKey& key, const RpcError& error) {
  pb::RpcResponseHeader& header = state_->header;
  begin_header(
      header, key,
      closes_connection(error.code) ? pb::RpcResponseHeader::FATAL : pb::RpcResponseHeader::ERROR);
  header.set_exception_class_name(error.exception_class);
  header.set_error_msg(error.message);
  header.set_error_detail(static_cast<pb::RpcResponseHeader::RpcErrorCode>(error.code));
  const Frame frame(out);
  append_delimited(out, header);
}

// org.apache.hadoop.ipc.Server.Connection.setupBadVersionResponse. Versions before 2 have no reply
// that their clients would read. A version is a signed byte.
std::string version_mismatch_reply(std::uint8_t client_version) {
  const auto version = static_cast<std::int8_t>(client_version);
  const std::string message = "Server IPC version " + std::to_string(rpc_version) +
                              " cannot communicate with client version " + std::to_string(version);
  std::string reply;
  if (version >= static_cast<std::int8_t>(rpc_version)) {
    RpcReplyWriter().failure(
        reply, {}, {RpcErrorCode::version_mismatch, std::string(version_mismatch_class), message});
  } else if (version >= 2) {
    append_big_endian32(reply, version == 2 ? 0 : static_cast<std::uint32_t>(invalid_call_id));
    if (version == 2) {
      reply += '\1';  // the call failed
    } else {
      append_big_endian32(reply, 0xffffffff);  // and the connection with it
    }
    append_java_string(reply, version_mismatch_class);
    append_java_string(reply, message);
  }
  return reply;
}

std::string http_reply() {
  return "HTTP/1.1 404 Not Found\r\nContent-type: text/plain\r\n\r\n"
         "This port serves Hadoop RPC, not HTTP.\r\n";
}

}  // namespace tracebed::hdfs
