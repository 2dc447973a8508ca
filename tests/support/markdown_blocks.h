// The fenced blocks of a Markdown page.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tracebed {

struct MarkdownBlock {
  std::size_t line = 0;  // of its first line of text, from 1
  std::string info;      // what stands behind the opening fence, such as "sh not-run"
  std::string file;      // NAME of a line "<!-- file: NAME -->" right above the fence
  std::string text;
};

inline std::vector<MarkdownBlock> markdown_blocks(std::string_view page) {
  constexpr std::string_view mark = "<!-- file: ";
  std::vector<MarkdownBlock> blocks;
  std::string file;
  bool is_open = false;
  for (std::size_t number = 1; !page.empty(); ++number) {
    const std::size_t end = page.find('\n');
    const std::string_view line = page.substr(0, end);
    page.remove_prefix(end == std::string_view::npos ? page.size() : end + 1);
    const bool is_fence = line.starts_with("```");
    if (is_fence && !is_open) {
      blocks.push_back({number + 1, std::string(line.substr(3)), file, {}});
    } else if (is_open && !is_fence) {
      blocks.back().text += std::string(line) + "\n";
    }
    if (is_fence) is_open = !is_open;
    file.clear();
    if (!is_open && line.starts_with(mark)) {
      file = line.substr(mark.size(), line.find(' ', mark.size()) - mark.size());
    }
  }
  return blocks;
}

}  // namespace tracebed
