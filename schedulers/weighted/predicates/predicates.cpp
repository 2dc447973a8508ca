#include "schedulers/weighted/predicates/predicates.h"

#include <array>

namespace tracebed {

std::span<const Predicate* const> constant_predicates() {
  static constexpr std::array all{&fits_predicate, &named_places_predicate};
  return all;
}

std::span<const Predicate* const> optional_predicates() {
  static constexpr std::array all{&apart_predicate,
                                  &apart_from_user_predicate,
                                  &beside_user_predicate,
                                  &dedicated_predicate,
                                  &label_predicate,
                                  &not_stale_predicate,
                                  &not_under_pressure_predicate};
  return all;
}

}  // namespace tracebed
