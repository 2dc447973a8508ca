// The fenced blocks of a Markdown page.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tracebed {

struct MarkdownBlock {
  std::size_t line = 0;     // of its first line of text, from 1
  std::string info;         // what stands behind the opening fence, such as "sh not-run"
  std::string file;         // NAME of a line "<!-- file: NAME -->" right above the fence
  std::string quoted_from;  // PATH of a line "<!-- from: PATH -->" there
  std::string text;         // without the indentation of the opening fence
};

namespace markdown {

// NAME of "<!-- KIND: NAME -->"; empty if the line is none.
inline std::string marked(std::string_view line, std::string_view kind) {
  const std::string mark = "<!-- " + std::string(kind) + ": ";
  if (!line.starts_with(mark)) return {};
  return std::string(line.substr(mark.size(), line.find(' ', mark.size()) - mark.size()));
}

inline std::size_t indentation_of(std::string_view line) {
  const std::size_t first = line.find_first_not_of(' ');
  return first == std::string_view::npos ? line.size() : first;
}

}  // namespace markdown

// Blocks may be indented, as those of lists are.
inline std::vector<MarkdownBlock> markdown_blocks(std::string_view page) {
  std::vector<MarkdownBlock> blocks;
  MarkdownBlock next;  // what stands above the fence
  std::size_t indentation = 0;
  bool is_open = false;
  for (std::size_t number = 1; !page.empty(); ++number) {
    const std::size_t end = page.find('\n');
    const std::string_view whole = page.substr(0, end);
    page.remove_prefix(end == std::string_view::npos ? page.size() : end + 1);
    const std::string_view line = whole.substr(markdown::indentation_of(whole));
    const bool is_fence = line.starts_with("```");
    if (is_fence && !is_open) {
      indentation = whole.size() - line.size();
      next.line = number + 1;
      next.info = line.substr(3);
      blocks.push_back(next);
    } else if (is_open && !is_fence) {
      const std::size_t left_out = std::min(indentation, markdown::indentation_of(whole));
      blocks.back().text += std::string(whole.substr(left_out)) + "\n";
    }
    if (is_fence) is_open = !is_open;
    next = {};
    if (!is_open) {
      next.file = markdown::marked(line, "file");
      next.quoted_from = markdown::marked(line, "from");
    }
  }
  return blocks;
}

}  // namespace tracebed
