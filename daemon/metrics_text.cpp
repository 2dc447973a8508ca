#include "daemon/metrics_text.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "core/check.h"

namespace tracebed {
namespace {

bool is_name(std::string_view name) {
  const auto is_letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  return !name.empty() && is_letter(name.front()) &&
         std::all_of(name.begin(), name.end(),
                     [&](char c) { return is_letter(c) || (c >= '0' && c <= '9'); });
}

std::string escaped(std::string_view text, bool is_label) {
  std::string result;
  for (const char c : text) {
    if (c == '\n') {
      result += "\\n";
    } else if (c == '\\' || (is_label && c == '"')) {
      result += '\\';
      result += c;
    } else {
      result += c;
    }
  }
  return result;
}

std::string number(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "+Inf" : "-Inf";
  return fmt::format("{}", value);
}

}  // namespace

MetricsText& MetricsText::family(std::string_view name, Kind kind, std::string_view help) {
  const bool is_counter = kind == Kind::counter;
  TRACEBED_CHECK(is_name(name), "a metric's name is one that Prometheus takes");
  TRACEBED_CHECK(name.ends_with("_total") == is_counter, "counters, and they alone, end in _total");
  TRACEBED_CHECK(families_.insert(std::string(name)).second, "a metric is told once");
  name_ = name;
  samples_.clear();
  text_ += fmt::format("# HELP {} {}\n# TYPE {} {}\n", name, escaped(help, false), name,
                       is_counter ? "counter" : "gauge");
  return *this;
}

MetricsText& MetricsText::sample(double value, Labels labels) {
  std::string text;
  for (const auto& [label, of] : labels) {
    TRACEBED_CHECK(is_name(label), "a label's name is one that Prometheus takes");
    text += fmt::format("{}{}=\"{}\"", text.empty() ? "{" : ",", label, escaped(of, true));
  }
  if (!text.empty()) text += '}';
  TRACEBED_CHECK(samples_.insert(text).second, "samples of a metric differ in their labels");
  text_ += fmt::format("{}{} {}\n", name_, text, number(value));
  return *this;
}

MetricsText& MetricsText::gauge(std::string_view name, std::string_view help, double value) {
  return family(name, Kind::gauge, help).sample(value);
}

MetricsText& MetricsText::counter(std::string_view name, std::string_view help, double value) {
  return family(name, Kind::counter, help).sample(value);
}

HttpResponse metrics_answer(std::string text) {
  return {200, "text/plain; version=0.0.4; charset=utf-8", std::move(text)};
}

}  // namespace tracebed
