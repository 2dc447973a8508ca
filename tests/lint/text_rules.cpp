#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <string_view>

#include "lint/rules.h"

namespace tracebed::lint {
namespace {

constexpr std::size_t columns_max = 100;

// Written in two halves, so that this file does not find itself.
constexpr std::array<std::string_view, 4> markers = {
    "TO"
    "DO",
    "FIX"
    "ME",
    "XX"
    "X",
    "HA"
    "CK"};
constexpr std::array<std::string_view, 4> machine_paths = {
    "/wo"
    "rk/",
    "/ho"
    "me/",
    "/ro"
    "ot/",
    "/tmp"
    "/b-"};

// UTF-8 bytes that continue a character take no column.
std::size_t columns(std::string_view line) {
  return static_cast<std::size_t>(std::count_if(line.begin(), line.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

// In scenarios a line of the story is an inline table, which TOML lets nobody break.
bool has_column_limit(const SourceFile& file) {
  if (file.path.starts_with("tests/scenarios/") && file.path.ends_with(".toml")) return false;
  for (std::string_view extension : {".md", ".html", ".json", ".css"}) {
    if (file.path.ends_with(extension)) return false;
  }
  return true;
}

bool is_word_at(std::string_view line, std::size_t position, std::size_t size) {
  const auto is_letter = [&](std::size_t at) {
    return at < line.size() && std::isalnum(static_cast<unsigned char>(line[at])) != 0;
  };
  return (position == 0 || !is_letter(position - 1)) && !is_letter(position + size);
}

void check_line(const SourceFile& file, std::size_t number, std::string_view line,
                Findings& findings) {
  const auto report = [&](std::string message) {
    findings.push_back({file.path, number, std::move(message)});
  };
  if (has_column_limit(file) && columns(line) > columns_max) {
    report("the line is longer than 100 columns");
  }
  if (line.find('\t') != std::string_view::npos) report("a tab; indent with blanks");
  if (line.ends_with(' ') || line.ends_with('\r')) report("blanks at the end of the line");
  for (std::string_view marker : markers) {
    const std::size_t found = line.find(marker);
    if (found != std::string_view::npos && is_word_at(line, found, marker.size())) {
      report("a leftover " + std::string(marker) + "; do it or take it out");
    }
  }
  for (std::string_view path : machine_paths) {
    if (line.find(path) != std::string_view::npos) {
      report("a path of one machine (" + std::string(path) + "…)");
    }
  }
}

// The first line that is neither empty nor a comment.
std::string_view first_code_line(const SourceFile& file) {
  std::string_view first;
  for_each_line(file.code, [&](std::size_t, std::string_view line) {
    if (first.empty() && line.find_first_not_of(' ') != std::string_view::npos) first = line;
  });
  return first;
}

}  // namespace

void check_text(const SourceFile& file, Findings& findings) {
  std::size_t lines = 0;
  for_each_line(file.text, [&](std::size_t number, std::string_view line) {
    check_line(file, number, line, findings);
    lines = number;
  });
  if (!file.text.empty() && !file.text.ends_with('\n')) {
    findings.push_back({file.path, lines, "the last line has no end"});
  }
  if (!is_cpp(file)) return;
  if (is_header(file) && first_code_line(file) != "#pragma once") {
    findings.push_back({file.path, 1, "a header begins with #pragma once"});
  }
}

}  // namespace tracebed::lint
