// Figures of one ask among those of its application. The ask is part of their ids and labels, which
// are unique there: whoever knows asks by name can take it off again.
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/figure.h"
#include "core/ids.h"

namespace tracebed {

inline constexpr std::string_view ask_id_mark = "_of_ask_";
inline constexpr std::string_view ask_label_mark = " of ask ";

inline Figure figure_of_ask(std::string_view id, std::string_view label, AskId ask,
                            FigureValue value) {
  const std::string number = std::to_string(ask.value());
  return {std::string(id).append(ask_id_mark) + number,
          std::string(label).append(ask_label_mark) + number, std::move(value)};
}

struct AskFigure {
  AskId ask;
  // Without the ask; views of the figure's.
  std::string_view id;
  std::string_view label;
};

// None for a figure that is not of an ask.
inline std::optional<AskFigure> ask_figure(const Figure& figure) {
  const std::string_view id = figure.id;
  const std::size_t mark = id.rfind(ask_id_mark);
  if (mark == std::string_view::npos) return std::nullopt;
  std::uint32_t number = 0;
  const char* const end = id.data() + id.size();
  const auto read = std::from_chars(id.data() + mark + ask_id_mark.size(), end, number);
  if (read.ec != std::errc() || read.ptr != end) return std::nullopt;
  const std::string_view label = figure.label;
  return AskFigure{AskId(number), id.substr(0, mark), label.substr(0, label.rfind(ask_label_mark))};
}

}  // namespace tracebed
