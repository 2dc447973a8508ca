// Answers over HTTP/1.1 whose body is known when they begin.
#pragma once

#include <string>

#include "protocol/webhdfs/web_failure.h"

namespace tracebed::webhdfs {

struct WebResponse {
  int status = 200;
  std::string type = "application/octet-stream";
  std::string body;
  std::string location;            // empty: none
  std::string allow;               // the methods that there are, for status 405; else empty
  bool closes_connection = false;  // after it
};

void append_response(std::string& out, const WebResponse& answer);

WebResponse json_response(std::string body);
WebResponse failure_response(const WebFailure& failure);
// To a client whose data a datanode serves: 307, or with `noredirect` the place as JSON.
WebResponse redirection(std::string location, bool is_wanted_as_json);

}  // namespace tracebed::webhdfs
