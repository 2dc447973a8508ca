// Whether this process may start threads.
#pragma once

#include <cstddef>
#include <string_view>

namespace tracebed {

// To be called before a library starts threads that ends the process if it cannot, as ZeroMQ does.
// Starts `count` threads, which do nothing, and waits for them. Throws EnvironmentError, naming the
// limits that apply, if that fails.
void check_room_for_threads(std::size_t count, std::string_view for_what);

}  // namespace tracebed
