// What may arrive at a namenode, with anything in it: calls and files have random members, and
// datanodes' messages random figures.
#pragma once

#include <string>

#include "core/random.h"
#include "core/storage_inputs.h"

namespace tracebed::test {

StorageInput random_storage_input(Random& random);

// All of its members in words: equal for equal inputs alone.
std::string describe(const StorageInput& input);

}  // namespace tracebed::test
