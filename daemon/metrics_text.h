// Figures as Prometheus reads them: its text format, version 0.0.4
// (https://prometheus.io/docs/instrumenting/exposition_formats/).
#pragma once

#include <cstdint>
#include <initializer_list>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "daemon/http_server.h"

namespace tracebed {

class MetricsText {
 public:
  enum class Kind : std::uint8_t { gauge, counter };
  using Labels = std::initializer_list<std::pair<std::string_view, std::string_view>>;

  // The samples that follow belong to this family, which may be given once. `name` is made of
  // letters, digits and underscores, that of a counter ends in _total; `help` is a sentence.
  MetricsText& family(std::string_view name, Kind kind, std::string_view help);
  // No two samples of a family may have equal labels.
  MetricsText& sample(double value, Labels labels = {});
  // A family of one sample.
  MetricsText& gauge(std::string_view name, std::string_view help, double value);
  MetricsText& counter(std::string_view name, std::string_view help, double value);

  const std::string& text() const { return text_; }

 private:
  std::string text_;
  std::string name_;
  std::set<std::string, std::less<>> families_;
  std::set<std::string, std::less<>> samples_;  // of this family, by labels
};

// The path that Prometheus scrapes by default, and the answer to its request.
inline constexpr const char* metrics_path = "/metrics";
HttpResponse metrics_answer(std::string text);

}  // namespace tracebed
