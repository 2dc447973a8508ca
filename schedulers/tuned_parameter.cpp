#include "schedulers/tuned_parameter.h"

namespace tracebed {

std::string share_text(std::int64_t share) {
  constexpr std::int64_t whole = 1'000'000;
  std::string digits = std::to_string(whole + share % whole).substr(1);
  digits.erase(digits.find_last_not_of('0') + 1);
  const std::string units = std::to_string(share / whole);
  return digits.empty() ? units : units + "." + digits;
}

}  // namespace tracebed
