// A thread that takes none of the process's signals: they are for the thread that waits for them.
#pragma once

#include <functional>
#include <thread>

namespace tracebed {

// Throws std::system_error as std::thread does.
std::thread thread_without_signals(std::function<void()> body);

}  // namespace tracebed
