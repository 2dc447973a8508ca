#include "report/figure_text.h"

#include "core/quantity_text.h"

namespace tracebed {
namespace {

struct FigureWriter {
  const ResourceDimensions& dimensions;

  std::string operator()(bool value) const { return value ? "true" : "false"; }
  std::string operator()(std::int64_t count) const { return std::to_string(count); }
  std::string operator()(double number) const { return number_text(number); }
  std::string operator()(Ratio part) const { return percent_text(part.value); }
  std::string operator()(Duration time) const {
    const Duration rest = time % seconds(1);
    return (rest == Duration::zero() ? std::to_string(time / seconds(1))
                                     : number_text(to_seconds(time))) +
           " s";
  }
  std::string operator()(const Resources& amount) const {
    return resources_text(amount, dimensions);
  }
  std::string operator()(const ResourceLimit& limit) const { return limit_text(limit, dimensions); }
  std::string operator()(Unlimited) const { return "unlimited"; }
  std::string operator()(const std::string& text) const { return text; }
};

}  // namespace

std::string figure_text(const FigureValue& value, const ResourceDimensions& dimensions) {
  return std::visit(FigureWriter{dimensions}, value);
}

}  // namespace tracebed
