// Why a request over WebHDFS fails: an exception of Hadoop's, which clients see as JSON
// (org.apache.hadoop.hdfs.web.resources.ExceptionHandler).
#pragma once

#include <string>
#include <string_view>

namespace tracebed::webhdfs {

struct WebFailure {
  std::string exception_class;  // "java.io.FileNotFoundException"
  std::string message;          // one sentence

  bool operator==(const WebFailure&) const = default;
};

WebFailure illegal_argument(std::string message);
WebFailure unsupported_operation(std::string message);
WebFailure file_not_found(std::string message);

// 400, 403, 404 or 500. An exception class that is not of Java's own packages counts as a kind of
// java.io.IOException.
int http_status(std::string_view exception_class);

// {"RemoteException":{"exception":…,"javaClassName":…,"message":…}}
std::string remote_exception_json(const WebFailure& failure);

}  // namespace tracebed::webhdfs
