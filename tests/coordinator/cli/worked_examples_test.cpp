// What pages quote of files, and what docs/contributing.md names in them, is there.
#include <algorithm>
#include <filesystem>
#include <gtest/gtest.h>
#include <regex>
#include <sstream>

#include "support/files.h"
#include "support/markdown_blocks.h"

namespace tracebed {
namespace {

const std::filesystem::path tree = TRACEBED_SOURCE_DIR;

std::vector<std::string> lines_in(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

// Each run of lines between those that stand for something left out ("…").
std::vector<std::vector<std::string>> pieces_of(const std::string& quotation) {
  std::vector<std::vector<std::string>> pieces(1);
  for (const std::string& line : lines_in(quotation)) {
    if (line == "…") {
      pieces.emplace_back();
    } else {
      pieces.back().push_back(line);
    }
  }
  return pieces;
}

// The line after the piece, where it stands in the file at `from` or later, whole lines each; 0 if
// it does not.
std::size_t end_of_piece(const std::vector<std::string>& piece,
                         const std::vector<std::string>& file, std::size_t from) {
  const auto found = std::search(file.begin() + static_cast<std::ptrdiff_t>(from), file.end(),
                                 piece.begin(), piece.end());
  if (found == file.end()) return 0;
  return static_cast<std::size_t>(found - file.begin()) + piece.size();
}

TEST(WorkedExamples, QuoteFilesLineByLine) {
  std::size_t quotations = 0;
  for (const auto& page : std::filesystem::directory_iterator(tree / "docs")) {
    if (page.path().extension() != ".md") continue;
    for (const MarkdownBlock& block : markdown_blocks(contents(page.path()))) {
      if (block.quoted_from.empty()) continue;
      ++quotations;
      const std::vector<std::string> file = lines_in(contents(tree / block.quoted_from));
      std::size_t at = 0;
      for (const std::vector<std::string>& piece : pieces_of(block.text)) {
        at = end_of_piece(piece, file, at);
        EXPECT_GT(at, 0U) << page.path() << ":" << block.line << ": " << block.quoted_from
                          << " has no longer\n"
                          << piece.front();
        if (at == 0) break;
      }
    }
  }
  EXPECT_GE(quotations, 10U);
}

struct NamedFile {
  std::string path;
  std::vector<std::string> names;  // of what is in it
};

// The entries of lists that begin with a path: "- `PATH`: … `NAME` …".
std::vector<NamedFile> named_files(const std::string& page) {
  static const std::regex beginning{R"(^ *- `([^` ]+[./][^` ]*)`:(.*)$)"};
  static const std::regex name{"`([^`]+)`"};
  std::vector<NamedFile> files;
  bool is_entry = false;
  for (const std::string& line : lines_in(page)) {
    std::smatch found;
    std::string rest = line;
    if (std::regex_match(line, found, beginning)) {
      files.push_back({found[1], {}});
      rest = found[2];
      is_entry = true;
    } else if (line.empty() || line.find_first_not_of(' ') == line.find("- ")) {
      is_entry = false;
    }
    if (!is_entry) continue;
    for (std::sregex_iterator at(rest.begin(), rest.end(), name), end; at != end; ++at) {
      files.back().names.push_back((*at)[1]);
    }
  }
  return files;
}

TEST(WorkedExamples, NameWhatIsInTheirFiles) {
  const std::vector<NamedFile> files = named_files(contents(tree / "docs/contributing.md"));
  EXPECT_GE(files.size(), 30U);
  for (const NamedFile& file : files) {
    EXPECT_TRUE(std::filesystem::is_regular_file(tree / file.path)) << file.path;
    const std::string text = contents(tree / file.path);
    for (const std::string& name : file.names) {
      EXPECT_NE(text.find(name), std::string::npos) << file.path << " has no " << name;
    }
  }
}

// Paths anywhere on the page.
TEST(WorkedExamples, NameFilesThatExist) {
  static const std::regex path{R"(`((?:[a-z_]+/)+[a-z_]*(?:\.[a-z]+)?)`)"};
  const std::string page = contents(tree / "docs/contributing.md");
  std::size_t paths = 0;
  for (std::sregex_iterator at(page.begin(), page.end(), path), end; at != end; ++at, ++paths) {
    EXPECT_TRUE(std::filesystem::exists(tree / (*at)[1].str())) << (*at)[1];
  }
  EXPECT_GE(paths, 40U);
}

}  // namespace
}  // namespace tracebed
