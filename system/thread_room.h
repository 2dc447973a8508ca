// Whether this process may start threads.
#pragma once

#include <cstddef>
#include <string_view>

namespace tracebed {

// To be asked before a library starts them that ends the process where it cannot, as ZeroMQ does.
// Starts so many threads, which do nothing, and waits for them. Throws EnvironmentError, naming the
// limits that there are, if that is not possible.
void check_room_for_threads(std::size_t count, std::string_view for_what);

}  // namespace tracebed
