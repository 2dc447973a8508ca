// A queue's capacity as it is written in capacity-scheduler.xml.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/resources.h"
#include "core/result.h"

namespace tracebed {

struct ConfiguredCapacity {
  enum class Form : std::uint8_t {
    percent,   // of the parent's, 0 to 100
    weight,    // "3w": in proportion to the siblings' weights, 0 to 10000
    absolute,  // "[memory=4096,vcores=8]"; memory in MiB, or with a unit: 4Gi
  };
  Form form = Form::percent;
  float value = 0;   // percent or weight
  Resources amount;  // absolute

  static ConfiguredCapacity of_percent(float percent) { return {Form::percent, percent, {}}; }
  bool operator==(const ConfiguredCapacity&) const = default;
  bool is_something() const { return value > 0 || !amount.is_zero(); }
  // In the same form.
  ConfiguredCapacity nothing() const { return {form, 0, {}}; }
};

// Fails with what was expected, without what was found. Dimensions are named as in `dimensions`,
// memory also "memory-mb".
Result<ConfiguredCapacity> parse_capacity(std::string_view text,
                                          const ResourceDimensions& dimensions);

}  // namespace tracebed
