// The properties of yarn-site.xml that all of YARN's schedulers share: container sizes.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "schedulers/yarn_site_key.h"

namespace tracebed {

inline constexpr std::array allocation_keys{
    YarnSiteKey{"yarn.scheduler.minimum-allocation-mb", "minimum_allocation_mib"},
    YarnSiteKey{"yarn.scheduler.minimum-allocation-vcores", "minimum_allocation_milli_vcores",
                YarnSiteKey::Form::thousands},
    YarnSiteKey{"yarn.scheduler.maximum-allocation-mb", "maximum_allocation_mib"},
    YarnSiteKey{"yarn.scheduler.maximum-allocation-vcores", "maximum_allocation_milli_vcores",
                YarnSiteKey::Form::thousands},
};

// These, followed by a scheduler's own.
inline std::vector<YarnSiteKey> with_allocation_keys(std::span<const YarnSiteKey> own) {
  std::vector<YarnSiteKey> keys(allocation_keys.begin(), allocation_keys.end());
  keys.insert(keys.end(), own.begin(), own.end());
  return keys;
}

}  // namespace tracebed
