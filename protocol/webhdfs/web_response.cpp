#include "protocol/webhdfs/web_response.h"

#include <string_view>
#include <utility>

#include "protocol/webhdfs/web_json.h"

namespace tracebed::webhdfs {
namespace {

std::string_view reason(int status) {
  switch (status) {
    case 200:
      return "OK";
    case 201:
      return "Created";
    case 307:
      return "Temporary Redirect";
    case 400:
      return "Bad Request";
    case 401:
      return "Unauthorized";
    case 403:
      return "Forbidden";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    default:
      return "Internal Server Error";
  }
}

void append_header(std::string& out, std::string_view name, std::string_view value) {
  out.append(name).append(": ").append(value).append("\r\n");
}

}  // namespace

void append_response(std::string& out, const WebResponse& answer) {
  out.append("HTTP/1.1 ").append(std::to_string(answer.status)).append(" ");
  out.append(reason(answer.status)).append("\r\n");
  append_header(out, "Content-Type", answer.type);
  append_header(out, "Content-Length", std::to_string(answer.body.size()));
  append_header(out, "Cache-Control", "no-cache");
  if (!answer.location.empty()) append_header(out, "Location", answer.location);
  if (!answer.allow.empty()) append_header(out, "Allow", answer.allow);
  if (answer.closes_connection) append_header(out, "Connection", "close");
  out.append("\r\n").append(answer.body);
}

WebResponse json_response(std::string body) {
  return {.type = "application/json", .body = std::move(body), .location = {}, .allow = {}};
}

WebResponse failure_response(const WebFailure& failure) {
  WebResponse answer = json_response(remote_exception_json(failure));
  answer.status = http_status(failure.exception_class);
  return answer;
}

WebResponse redirection(std::string location, bool is_wanted_as_json) {
  if (is_wanted_as_json) return json_response(location_json(location));
  return {.status = 307, .body = {}, .location = std::move(location), .allow = {}};
}

}  // namespace tracebed::webhdfs
