// The rooms of the project and the arrows between them, as ARCHITECTURE.md draws them. CMake holds
// the same arrows by what each room's include directory contains.
#pragma once

#include <string_view>
#include <vector>

namespace tracebed::lint {

struct Room {
  std::string_view folder;
  std::vector<std::string_view> may_include;  // besides itself; closed under following arrows
  bool pure = false;                          // decides without clock, I/O, threads or environment
};

const std::vector<Room>& rooms();

// The room that a path from the root lies in, or null: tests and top-level files lie in none.
const Room* room_of(std::string_view path);

}  // namespace tracebed::lint
