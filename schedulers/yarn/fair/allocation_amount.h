// Amounts of resources as the Fair Scheduler's allocation file states them, in one of the forms
//   2048 mb, 4 vcores      in any case of letters, with or without the comma
//   50% memory, 25% cpu      or 40%, for every dimension, whatever stands behind it
//   memory-mb=2048, vcores=4, gpu=1      or each with a percentage
// (FairSchedulerConfiguration.parseResourceConfigValue). A percentage is of the cluster, truncated
// to whole units (ConfigurableResource).
// Deviations, each on purpose:
// - [fair-rest-of-amounts] The original finds the amounts of the first two forms anywhere in the
//   text and passes over the rest of it; here the rest is refused.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "core/resources.h"
#include "core/result.h"

namespace tracebed {

class AllocationAmount {
 public:
  // The value of a dimension that is not given.
  enum class Missing : std::uint8_t { nothing, unlimited };

  // Gives no amounts.
  explicit AllocationAmount(Missing missing) : missing_(missing) {}
  // Fails with what was expected, without what was found.
  static Result<AllocationAmount> parse(std::string_view text, Missing missing,
                                        const ResourceDimensions& dimensions);

  // On a cluster with these resources. What is unlimited there is `unlimited_amount`.
  Resources on(const Resources& cluster) const;
  // Whether the text is a single percentage, which holds for every dimension, although it names
  // one: "50% memory".
  static bool names_one_of_all(std::string_view text);

  // Whether in some dimension both give an amount, or both a percentage, and this one is larger.
  bool exceeds(const AllocationAmount& other) const;
  static constexpr std::int64_t unlimited_amount = std::int64_t{1} << 50;

 private:
  struct Part {
    bool is_percentage = false;
    double value = 0;  // percent, or whole units: MiB, vcores
  };
  static std::optional<Part> parse_part(std::string_view text);
  Status parse_named(std::string_view text, const ResourceDimensions& dimensions);
  bool parse_percentages(std::string_view text);
  bool parse_units(std::string_view text);
  bool state(std::size_t dimension, std::optional<Part> part);

  Missing missing_;
  std::array<std::optional<Part>, Resources::dimensions_max> parts_;
};

}  // namespace tracebed
