// A file of the project as the lint rules see it.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace tracebed::lint {

struct SourceFile {
  std::string path;  // from the project's root, with '/'
  std::string text;
  // C++ text in which comments and the insides of literals are blanks: the same length and the same
  // line breaks as `text`, so that positions agree. For other files, `text` itself.
  std::string code;
};

SourceFile make_source(std::string path, std::string text);

// Every text file of the project that people write, by path. Build trees, version control and
// installed packages are left out.
std::vector<SourceFile> read_project(const std::filesystem::path& root);

bool is_header(const SourceFile& file);
bool is_cpp(const SourceFile& file);  // header or source
bool is_in(const SourceFile& file, std::string_view folder);

bool is_identifier_char(char c);

// Lines are counted from 1, as editors do.
std::size_t line_at(const SourceFile& file, std::size_t position);

// Calls visit(line number, line without its end) for each line of `text`.
template <class Visitor>
void for_each_line(std::string_view text, Visitor&& visit) {
  std::size_t number = 1;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    visit(number++, text.substr(0, end));
    if (end == std::string_view::npos) return;
    text.remove_prefix(end + 1);
  }
}

}  // namespace tracebed::lint
