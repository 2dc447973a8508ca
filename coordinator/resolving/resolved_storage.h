// The [storage] table, resolved: the options of the run's namenode and datanodes, divided by
// [scale], and what a run record has of them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "coordinator/config/experiment.h"
#include "coordinator/resolving/given_settings.h"
#include "coordinator/storage/namenode_options.h"
#include "core/datanode_options.h"

namespace tracebed {

struct ResolvedStorage {
  NamenodeOptions namenode;  // but the seed, which is the run's
  DatanodeOptions datanodes;
  std::string writer;  // the machine from which the trace's files were written; empty: none
  std::vector<Setting> namenode_settings;  // that `namenode` was made of: all of them
};

// None without the table. Block sizes stay multiples of 512 bytes, which have a checksum. Throws
// InputError, which begins with the place of what it is about.
std::optional<ResolvedStorage> resolve_storage(const Experiment& experiment);

// As run records have it; empty without storage.
NamedTexts to_record(const std::optional<ResolvedStorage>& storage);
// The inverse. `place` begins the places of its texts, which are not trusted.
std::optional<ResolvedStorage> storage_of_record(const NamedTexts& recorded,
                                                 const std::string& place);

}  // namespace tracebed
