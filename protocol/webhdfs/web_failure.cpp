#include "protocol/webhdfs/web_failure.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <utility>

namespace tracebed::webhdfs {
namespace {

constexpr std::string_view illegal_argument_class = "java.lang.IllegalArgumentException";
constexpr std::string_view unsupported_operation_class = "java.lang.UnsupportedOperationException";
constexpr std::string_view file_not_found_class = "java.io.FileNotFoundException";

// Kinds of IllegalArgumentException and UnsupportedOperationException.
constexpr auto bad_requests = std::to_array<std::string_view>({
    illegal_argument_class,
    unsupported_operation_class,
    "org.apache.hadoop.HadoopIllegalArgumentException",
    "org.apache.hadoop.fs.InvalidPathException",
});

// What follows the last '.', or the last '$' of a class within another.
std::string_view simple_name(std::string_view exception_class) {
  return exception_class.substr(exception_class.find_last_of(".$") + 1);
}

}  // namespace

WebFailure illegal_argument(std::string message) {
  return {std::string(illegal_argument_class), std::move(message)};
}
WebFailure unsupported_operation(std::string message) {
  return {std::string(unsupported_operation_class), std::move(message)};
}
WebFailure file_not_found(std::string message) {
  return {std::string(file_not_found_class), std::move(message)};
}

int http_status(std::string_view exception_class) {
  if (exception_class == file_not_found_class) return 404;
  if (std::find(bad_requests.begin(), bad_requests.end(), exception_class) != bad_requests.end()) {
    return 400;
  }
  if (exception_class == "java.lang.SecurityException") return 403;
  return exception_class.starts_with("java.lang.") ? 500 : 403;
}

std::string remote_exception_json(const WebFailure& failure) {
  const nlohmann::json body = {{"RemoteException",
                                {{"exception", simple_name(failure.exception_class)},
                                 {"javaClassName", failure.exception_class},
                                 {"message", failure.message}}}};
  return body.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace tracebed::webhdfs
