// How a figure is called: by a literal, which is not copied (what explains a large submission has
// hundreds of thousands of names), or by a text that was made for it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace tracebed {

class FigureName {
 public:
  FigureName() = default;
  // Of an array that lives as long as the program.
  template <std::size_t size>
  FigureName(const char (&literal)[size]) : text_(std::string_view(literal, size - 1)) {}
  template <std::size_t size>
  FigureName(char (&buffer)[size]) = delete;
  FigureName(std::string made) : text_(std::move(made)) {}

  // Valid as long as this is.
  std::string_view text() const {
    if (const auto* const literal = std::get_if<std::string_view>(&text_)) return *literal;
    return std::get<std::string>(text_);
  }
  operator std::string_view() const { return text(); }
  bool empty() const { return text().empty(); }
  friend bool operator==(const FigureName& name, std::string_view text) {
    return name.text() == text;
  }

 private:
  std::variant<std::string_view, std::string> text_;
};

}  // namespace tracebed
