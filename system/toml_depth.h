// A guard before the TOML parser, which makes a table of every word of a dotted key and recurses
// into each when it destroys them: a key of a hundred thousand words, whoever sent it, would crash
// the program.
#pragma once

#include <cstddef>
#include <string_view>

namespace tracebed {

// The line, from 1, of the first key of more than `words_max` words with a dot between them; 0 if
// there is none. What is in strings and comments does not count; the parser rejects text that is
// not TOML.
std::size_t line_of_endless_key(std::string_view text, std::size_t words_max);

}  // namespace tracebed
