// The predicates that there are, each in a file of its own, named like it.
#pragma once

#include <span>

#include "schedulers/weighted/rules/predicate.h"

namespace tracebed {

extern const Predicate apart_predicate;
extern const Predicate apart_from_user_predicate;
extern const Predicate beside_user_predicate;
extern const Predicate dedicated_predicate;
extern const Predicate fits_predicate;
extern const Predicate label_predicate;
extern const Predicate named_places_predicate;
extern const Predicate not_stale_predicate;
extern const Predicate not_under_pressure_predicate;

// That every node must meet: the engine commits nothing else.
std::span<const Predicate* const> constant_predicates();
// That a configuration may name, by name.
std::span<const Predicate* const> optional_predicates();

}  // namespace tracebed
