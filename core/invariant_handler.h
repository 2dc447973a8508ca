// What a program does before it exits because an invariant failed (core/check.h).
#pragma once

#include <string_view>

namespace tracebed {

// `failure` is the message with the condition and place. Any thread may call it, several at once,
// and it may be called again from within itself.
using InvariantHandler = void (*)(std::string_view failure) noexcept;

// Applies to the whole program, like std::set_terminate. Initially there is none.
void set_invariant_handler(InvariantHandler handler);

}  // namespace tracebed
