// The messages of libraries' exceptions, without the parts that are for programmers.
#pragma once

#include <exception>
#include <string>

namespace tracebed {

// "FILE: reason" of the standard library's "filesystem error: …", and the text after
// "[json.exception.…]" of nlohmann's; of every other exception what() as it is.
std::string plain_message(const std::exception& error);

}  // namespace tracebed
