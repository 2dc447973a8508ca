// How a scheduler preempts containers, by the setting `preemption.delivery`.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/settings.h"

namespace tracebed {

enum class PreemptionDelivery : std::uint8_t {
  // Containers are marked for preemption from when they are chosen until they end, or until a later
  // check no longer chooses them; what is marked for preemption at the deadline, and is still
  // chosen then, is killed by the engine.
  contract,
  // Notifies and kills as Hadoop's scheduler of that family does; see that scheduler's header.
  hadoop,
  // Killed as soon as they are chosen, without notification: as before YARN-45.
  kill,
};

inline constexpr SettingDescription preemption_delivery_setting{
    "preemption.delivery", "contract",
    "how containers are preempted: contract (requested, and killed at the deadline if still "
    "needed), hadoop (as in Hadoop) or kill (at once)"};

// `reader` knows the setting.
inline PreemptionDelivery read_preemption_delivery(SettingReader& reader) {
  constexpr PreemptionDelivery all[] = {PreemptionDelivery::contract, PreemptionDelivery::hadoop,
                                        PreemptionDelivery::kill};
  return all[reader.choice(preemption_delivery_setting.name, {"contract", "hadoop", "kill"})];
}

}  // namespace tracebed
