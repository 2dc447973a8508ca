// Percent-encoding of paths and query strings (RFC 3986, section 2.1).
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tracebed::webhdfs {

// Nothing if a '%' has no two hexadecimal digits after it, or encodes the byte 0, which no path and
// no parameter has. In query strings a '+' is a space.
std::optional<std::string> percent_decoded(std::string_view text, bool is_query);

// Encodes everything but letters, digits and "-._~/".
std::string percent_encoded(std::string_view text);

}  // namespace tracebed::webhdfs
