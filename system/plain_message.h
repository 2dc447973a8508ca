// What exceptions of libraries say, without the marks that are for programmers.
#pragma once

#include <exception>
#include <string>

namespace tracebed {

// "FILE: reason" of the standard library's "filesystem error: …", and the words of nlohmann's
// behind "[json.exception.…]"; of every other exception what it says.
std::string plain_message(const std::exception& error);

}  // namespace tracebed
