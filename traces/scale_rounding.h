// What [scale] rounds to something else: amounts that become nothing, or deviate from what dividing
// them alone would give by more than a twentieth. A run says so before it begins, with names.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/machines.h"
#include "core/workload.h"

namespace tracebed {

struct ScaleFactors;

class ScaleRounding {
 public:
  // `amount` before, of the kind ("memory of machines, in MiB"), and what became of it; `exact` is
  // what dividing alone would give. `count` units have the same.
  void add(std::string_view kind, std::string_view name, double exact, std::int64_t rounded,
           std::uint64_t count = 1);

  // A sentence for each kind of which something deviates, with the three that deviate most.
  std::vector<std::string> sentences() const;

 private:
  struct Deviation {
    std::string name;
    double exact = 0;
    std::int64_t rounded = 0;
    double size = 0;  // |rounded / exact − 1|
  };
  struct Kind {
    std::string name;
    std::uint64_t count = 0;
    std::uint64_t deviating = 0;
    std::vector<Deviation> worst;  // descending by size
  };
  Kind& kind_of(std::string_view name);

  std::vector<Kind> kinds_;  // in the order in which they were added first
};

// What scale_machines() made of the machines.
void add_machines(const std::vector<Machine>& recorded, const std::vector<Machine>& scaled,
                  const ScaleFactors& factors, ScaleRounding& rounding);
// What ScaledWorkload made of a job.
void add_job(const Job& recorded, const Job& scaled, const ScaleFactors& factors,
             ScaleRounding& rounding);

}  // namespace tracebed
