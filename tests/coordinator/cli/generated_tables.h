// The parts of pages that are made of what the program lists. Such a part stands between
// "<!-- NAME -->" and "<!-- end of NAME -->", each on a line of its own.
#pragma once

#include <map>
#include <string>

namespace tracebed {

// The text of each part, by name: "keys of [trace]", "settings of fifo", "settings of [masters]".
// Made of `tracebed keys --json` and `tracebed schedulers --json`.
std::map<std::string, std::string> generated_tables();

// The page with each of these parts as it should be. A part whose end is missing fails the test.
std::string with_tables(const std::string& page, const std::map<std::string, std::string>& tables);

// Likewise for experiments/reference.toml, where a part stands between "# <NAME>" and "# </NAME>":
// each key with its value, its text in a comment above. Tables have parts of their own.
std::map<std::string, std::string> generated_reference();
std::string with_reference(const std::string& file, const std::map<std::string, std::string>& keys);

// How often the part begins on the page.
std::size_t occurrences_of_part(const std::string& page, const std::string& name);

}  // namespace tracebed
