// Tables of what is wrong with a trace, for every format.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tracebed::testing {

struct Defect {
  const char* what;
  std::string text;
  // Part of the message that ends the load; empty: the text is taken.
  const char* message;
  std::size_t jobs;  // when bad rows are skipped
  // What the report says of a text that is taken: a note or a rule that leaves rows out.
  const char* told = "";
};

// What can be wrong with a row or document of a trace. Every format has it in its table, or says
// why it cannot.
inline constexpr std::array<std::string_view, 10> known_defects = {"malformed",
                                                                   "missing columns",
                                                                   "not UTF-8",
                                                                   "a negative time",
                                                                   "a sentinel for a time",
                                                                   "an end before the start",
                                                                   "no tasks",
                                                                   "a cycle",
                                                                   "unsorted",
                                                                   "above 2^53"};

struct Impossible {
  std::string_view defect;
  const char* why;
};

struct BadInputs {
  const char* format;
  std::string good;  // of two jobs
  std::vector<Defect> defects;
  std::vector<Impossible> impossible;
};

// Of every format that is read as a stream.
std::vector<BadInputs> bad_inputs();

}  // namespace tracebed::testing
