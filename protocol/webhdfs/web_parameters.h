// The parameters of WebHDFS, their types and ranges (org.apache.hadoop.hdfs.web.resources.*Param).
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "protocol/webhdfs/web_request.h"

namespace tracebed::webhdfs {

// Sets the parameter of that name, which is in lower case; nothing happens if there is none. The
// failure is about its type or its range.
std::optional<WebFailure> set_parameter(std::string_view name, std::string value,
                                        WebParameters& parameters);

}  // namespace tracebed::webhdfs
