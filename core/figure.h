// What a scheduler reports of itself, of a queue or of an application: typed, for programs to take
// as it is; people's text is made of it at the edge (report/figure_text.h).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "core/figure_name.h"
#include "core/resources.h"
#include "core/time.h"

namespace tracebed {

// A part of 1, which people read in percent.
struct Ratio {
  double value = 0;

  bool operator==(const Ratio&) const = default;
};

// There is no limit, or none is known.
struct Unlimited {
  bool operator==(const Unlimited&) const = default;
};

// At most so much in each dimension that is limited.
struct ResourceLimit {
  Resources most;
  std::array<bool, Resources::dimensions_max> is_limited{};
  // What holds in the others, in words.
  std::string otherwise = "unlimited";

  bool operator==(const ResourceLimit&) const = default;
};

// In the order of the alternatives: a switch; a count; a number; a part; a time; resources, and
// limits of them; no limit; anything else, in words.
using FigureValue = std::variant<bool, std::int64_t, double, Ratio, Duration, Resources,
                                 ResourceLimit, Unlimited, std::string>;

struct Figure {
  // Stable, in snake case, one of its kind among the figures of a queue or application: by this
  // programs find it.
  FigureName id;
  // What people call it, as the scheduler's own programs do; empty: it is for programs alone.
  FigureName label;
  FigureValue value;
  std::string formula = {};  // with the numbers put in; empty: configured, a default, or counted
};

inline FigureValue count_or_unlimited(const std::optional<std::int64_t>& count) {
  if (!count) return Unlimited();
  return *count;
}

// Null where there is none.
inline const Figure* find_figure(std::span<const Figure> figures, std::string_view id) {
  for (const Figure& figure : figures) {
    if (figure.id == id) return &figure;
  }
  return nullptr;
}

}  // namespace tracebed
