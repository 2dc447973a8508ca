#include "lint/source_file.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <fstream>
#include <iterator>
#include <utility>

namespace tracebed::lint {
namespace {

// Blanks what is no code. A state machine over the text; `at_` is the next character to look at.
class Blanker {
 public:
  explicit Blanker(std::string text) : text_(std::move(text)) {}

  std::string blank() && {
    while (at_ < text_.size()) {
      if (starts("//")) {
        blank_until("\n");
      } else if (starts("/*")) {
        blank_until("*/");
      } else if (text_[at_] == '"') {
        if (is_raw()) {
          raw_literal();
        } else if (is_include_line()) {
          at_ = std::min(text_.find('\n', at_), text_.size());
        } else {
          literal('"');
        }
      } else if (text_[at_] == '\'' && !is_digit_separator()) {
        literal('\'');
      } else {
        ++at_;
      }
    }
    return std::move(text_);
  }

 private:
  bool starts(std::string_view with) const { return text_.compare(at_, with.size(), with) == 0; }
  bool is_digit_separator() const { return at_ > 0 && is_identifier_char(text_[at_ - 1]); }
  bool is_raw() const { return at_ > 0 && text_[at_ - 1] == 'R'; }
  bool is_include_line() const {
    const std::size_t start = at_ == 0 ? 0 : text_.rfind('\n', at_ - 1) + 1;
    return text_.compare(start, 8, "#include") == 0;
  }
  void blank_to(std::size_t end) {
    for (; at_ < end; ++at_) {
      if (text_[at_] != '\n') text_[at_] = ' ';
    }
  }
  void blank_until(std::string_view closing) {
    const std::size_t end = text_.find(closing, at_ + 2);
    blank_to(end == std::string::npos ? text_.size() : end + closing.size());
  }
  void literal(char quote) {
    std::size_t end = at_ + 1;
    while (end < text_.size() && text_[end] != quote && text_[end] != '\n') {
      end += text_[end] == '\\' ? 2u : 1u;
    }
    ++at_;
    blank_to(std::min(end, text_.size()));
    ++at_;
  }
  void raw_literal() {
    const std::size_t open = text_.find('(', at_);
    if (open == std::string::npos) {
      at_ = text_.size();
      return;
    }
    const std::string closing = ")" + text_.substr(at_ + 1, open - at_ - 1) + "\"";
    const std::size_t end = text_.find(closing, open);
    ++at_;
    blank_to(end == std::string::npos ? text_.size() : end);
    at_ = std::min(at_ + closing.size(), text_.size());
  }

  std::string text_;
  std::size_t at_ = 0;
};

bool has_extension(std::string_view path, std::string_view extension) {
  return path.ends_with(extension);
}

bool is_left_out(const std::filesystem::path& folder) {
  const std::string name = folder.filename().string();
  return name == ".git" || name == "node_modules" || name == "runs" || name == "__pycache__" ||
         name.starts_with("build");
}

// Traces and other data are not written by hand; neither is npm's lock file.
bool is_written_by_people(std::string_view path) {
  static constexpr std::array<std::string_view, 17> extensions = {
      ".proto",  ".h",    ".cpp", ".txt",  ".cmake", ".md",  ".py",  ".sh",  ".fbs",
      ".thrift", ".toml", ".yml", ".yaml", ".js",    ".mjs", ".css", ".html"};
  if (path == "run" || path == ".ci/run" || path.ends_with("CMakePresets.json")) return true;
  return std::any_of(extensions.begin(), extensions.end(),
                     [&](std::string_view extension) { return has_extension(path, extension); });
}

}  // namespace

SourceFile make_source(std::string path, std::string text) {
  SourceFile file{.path = std::move(path), .text = std::move(text), .code = {}};
  file.code = is_cpp(file) ? Blanker(file.text).blank() : file.text;
  return file;
}

std::vector<SourceFile> read_project(const std::filesystem::path& root) {
  std::vector<SourceFile> files;
  using Walk = std::filesystem::recursive_directory_iterator;
  for (Walk entry(root); entry != Walk(); ++entry) {
    if (entry->is_directory() && is_left_out(entry->path())) {
      entry.disable_recursion_pending();
      continue;
    }
    std::string path = entry->path().lexically_relative(root).generic_string();
    if (!entry->is_regular_file() || !is_written_by_people(path)) continue;
    std::ifstream in(entry->path(), std::ios::binary);
    files.push_back(
        make_source(std::move(path), std::string(std::istreambuf_iterator<char>(in), {})));
  }
  std::sort(files.begin(), files.end(),
            [](const SourceFile& a, const SourceFile& b) { return a.path < b.path; });
  return files;
}

bool is_identifier_char(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

bool is_header(const SourceFile& file) {
  return has_extension(file.path, ".h");
}
bool is_cpp(const SourceFile& file) {
  return is_header(file) || has_extension(file.path, ".cpp");
}
bool is_in(const SourceFile& file, std::string_view folder) {
  return file.path.size() > folder.size() && file.path.starts_with(folder) &&
         file.path[folder.size()] == '/';
}

std::size_t line_at(const SourceFile& file, std::size_t position) {
  const auto begin = file.text.begin();
  const auto breaks = std::count(begin, begin + static_cast<std::ptrdiff_t>(position), '\n');
  return static_cast<std::size_t>(breaks) + 1;
}

}  // namespace tracebed::lint
