// Files of schedulers, each with a list, table or tree that grows.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <tuple>

namespace tracebed::test {

struct GrowingFile {
  const char* name;
  const char* scheduler;
  std::string (*text)(int count);
  // The largest `count` that is accepted; 0: whatever fits into a file.
  std::size_t count_max = 0;
  // What the cost is in proportion to, if not to the text: pairs, of which there is a bound.
  double (*pairs)(int count) = nullptr;
};

std::span<const GrowingFile> growing_files();

enum class Use { explain, create };
// Of a test of both.
std::string name_of(const std::tuple<GrowingFile, Use>& file_and_use);

// The sentence with which its scheduler refuses the text of such a file; empty: it does not.
std::string refusal_of(const GrowingFile& file, const std::string& text, Use use);

}  // namespace tracebed::test
