#include "coordinator/cli/text_output.h"

namespace tracebed {

void print_lines(std::string_view text, std::FILE* to) {
  const std::string lines = plain_lines(text);
  if (to == stderr) {
    std::fwrite(lines.data(), 1, lines.size(), stderr);
    return;
  }
  fmt::print(to, "{}", lines);
}

}  // namespace tracebed
