// The keys in Redis of a coordinator's runs, which end with the runs' folders.
#pragma once

#include <filesystem>
#include <string>

#include "coordinator/real/redis_connection.h"

namespace tracebed {

// The id by which a Redis knows the runs of this state folder: the content of its file `owner`,
// which is made if it is missing, as is the folder. Coordinators that share a Redis have different
// ones. Throws EnvironmentError, naming the file, if it cannot be read or made, or holds no id.
std::string state_owner(const std::filesystem::path& state);

// Removes the keys of the owner's runs whose folders no longer exist below `state`, and logs how
// many there were. Returns whether it could; a Redis that is away is reported by its monitor.
bool remove_keys_of_deleted_runs(const std::string& redis, const RedisLogin& login,
                                 const std::string& owner, const std::filesystem::path& state);

}  // namespace tracebed
