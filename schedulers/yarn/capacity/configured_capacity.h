// A queue's capacity as it is written in capacity-scheduler.xml.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/resources.h"
#include "core/result.h"

namespace tracebed {

// Of one resource (QueueCapacityVector.QueueCapacityVectorEntry).
struct CapacityEntry {
  enum class Unit : std::uint8_t { amount, percent, weight };
  Unit unit = Unit::amount;
  double value = 0;  // an amount is in what YARN counts: MiB, vcores

  bool operator==(const CapacityEntry&) const = default;
};

struct ConfiguredCapacity {
  enum class Form : std::uint8_t {
    percent,       // of the parent's, 0 to 100
    weight,        // "3w": in proportion to the siblings' weights, 0 to 10000
    absolute,      // "[memory=4096,vcores=8]"; memory in MiB, or with a unit: 4Gi
    per_resource,  // "[memory=50%,vcores=4w,gpu=2]": each with its unit; only with
                   // CapacityForms::any
    none,          // not stated; likewise
  };
  Form form = Form::percent;
  float value = 0;  // percent or weight
  // Absolute. Per resource: what counts as the queue's configured amount (getMinimumResource
  // Requirement), which is nothing where one has a percentage or memory is no amount.
  Resources amount;
  std::vector<CapacityEntry> entries = {};  // per resource, by dimension

  static ConfiguredCapacity of_percent(float percent) { return {Form::percent, percent, {}}; }
  static ConfiguredCapacity none() { return {Form::none, 0, {}}; }
  bool operator==(const ConfiguredCapacity&) const = default;

  // Of one resource, in whatever form it is written. A list says 0 of what it does not name.
  std::optional<CapacityEntry> of(std::size_t dimension) const;
  bool has_weight() const;
};

// What a capacity may be: one form for all resources, or, in a list, a unit for each
// (yarn.scheduler.capacity.legacy-queue-mode.enabled = false).
enum class CapacityForms : std::uint8_t { legacy, any };

// Deviations, each on purpose:
// - [capacity-list-values] A list with a mistake is refused; the original passes over unknown
//   resources and units and values below 0, and over the whole list if it is without memory.
//
// Fails with what was expected, without what was found. Dimensions are named as in `dimensions`,
// memory also "memory-mb". With `any` a list states memory; amounts are whole
// (QueueCapacityConfigParser).
Result<ConfiguredCapacity> parse_capacity(std::string_view text,
                                          const ResourceDimensions& dimensions,
                                          CapacityForms forms = CapacityForms::legacy);

// "50%", "3w", "[memory=50%,vcores=4w,gpu=2]".
std::string capacity_text(const ConfiguredCapacity& capacity, const ResourceDimensions& dimensions);

}  // namespace tracebed
