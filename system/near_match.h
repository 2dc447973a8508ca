// "did you mean": the known name that an unknown one was probably meant to be.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace tracebed {

// The candidate with the smallest number of single-character edits (insert, drop, change, swap two
// neighbours), or an empty view if even that one differs in more than a third of its characters.
// Of equals, the first.
std::string_view nearest_name(std::string_view name, std::span<const std::string_view> candidates);

// What to append to a message about an unknown name: "; did you mean X?" if one is near, else
// "; known are A, B, C".
std::string name_hint(std::string_view name, std::span<const std::string_view> candidates);

}  // namespace tracebed
