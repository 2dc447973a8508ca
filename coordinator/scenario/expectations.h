// What is expected after a step, compared with what is known.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "coordinator/scenario/scenario.h"
#include "coordinator/scenario/story_facts.h"

namespace tracebed {

// The keys of a table that bounds what is, instead of stating it.
inline constexpr std::array<std::string_view, 3> bound_keys{"at_least", "at_most", "not"};

// Facts that are lists, and those that have a list by name.
std::span<const std::string_view> list_facts();
std::span<const std::string_view> facts_of_lists();

// A sentence for each difference: its place, the expected and the actual value. A table must
// contain at least what the expectation lists; a list, exactly its elements in their order; of a
// list, a table states how many elements there are of each name, as containers of an application.
std::vector<std::string> unmet(std::span<const ExpectedFact> expected, const StoryFacts& facts);

}  // namespace tracebed
