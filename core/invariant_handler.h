// What a program does before it leaves because an invariant failed (core/check.h).
#pragma once

#include <string_view>

namespace tracebed {

// `failure` is the message with the condition and place. Any thread may call it, several at once,
// and it may be called again from within itself.
using InvariantHandler = void (*)(std::string_view failure) noexcept;

// Of the whole program, as std::set_terminate's is. There is none at first.
void set_invariant_handler(InvariantHandler handler);

}  // namespace tracebed
