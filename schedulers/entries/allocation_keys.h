// The properties of yarn-site.xml that all of YARN's schedulers share: container sizes.
#pragma once

#include <span>
#include <vector>

#include "schedulers/yarn/configuration/allocation_properties.h"
#include "schedulers/yarn_site_key.h"

namespace tracebed {

// These, followed by a scheduler's own.
inline std::vector<YarnSiteKey> with_allocation_keys(std::span<const YarnSiteKey> own) {
  std::vector<YarnSiteKey> keys;
  for (const AllocationProperty& property : allocation_properties) {
    const bool is_memory = property.dimension == Resources::memory_dimension;
    keys.push_back({property.name, property.setting,
                    is_memory ? YarnSiteKey::Form::whole : YarnSiteKey::Form::thousands});
  }
  keys.insert(keys.end(), own.begin(), own.end());
  return keys;
}

}  // namespace tracebed
