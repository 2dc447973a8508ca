// The settings of [storage.namenode]: properties of HDFS, by their names there.
#pragma once

#include <cstdint>
#include <span>

#include "coordinator/storage/namenode_options.h"
#include "core/result.h"
#include "core/settings.h"

namespace tracebed {

// Of any duration.
inline constexpr std::int64_t namenode_longest_ms = 100'000'000'000;

std::span<const SettingDescription> namenode_settings();
// The options that settings decide; the others keep their defaults.
Result<NamenodeOptions> read_namenode(const SettingValues& values);

}  // namespace tracebed
