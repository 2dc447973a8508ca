#include "report/scale_text.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "report/text_table.h"

namespace tracebed {
namespace {

std::string deviation_text(double deviation) {
  const double per_cent = 100 * deviation;
  return std::abs(per_cent) < 0.05 ? "" : fmt::format("{:+.1f} %", per_cent);
}

}  // namespace

std::string scale_line(const ScaleEffects& effects) {
  if (effects.factors.empty()) return {};
  std::string line = "Scaled: ";
  for (const ScaleEffects::Factor& factor : effects.factors) {
    line += (&factor == &effects.factors.front() ? "" : ", ") + factor.name;
  }
  return line + ".\n";
}

std::string scale_text(const ScaleEffects& effects) {
  std::string text = scale_line(effects);
  for (const ScaleEffects::Factor& factor : effects.factors) {
    text += fmt::format("  {} changes {}\n", factor.name, factor.changes);
  }
  TextTable table({"changed by scaling", "from", "to", "by rounding"});
  bool is_empty = true;
  for (const ScaleEffects::Statistic& statistic : effects.statistics) {
    const std::string from = readable(statistic.trace);
    const std::string to = readable(statistic.run);
    if (from == to) continue;
    table.add_row({statistic.name, from, to, deviation_text(statistic.deviation)});
    is_empty = false;
  }
  return is_empty ? text : text + table.to_string();
}

}  // namespace tracebed
