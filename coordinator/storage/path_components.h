// Paths as the namenode takes them (org.apache.hadoop.hdfs.DFSUtilClient.isValidName,
// dfs.namenode.fs-limits.max-component-length).
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "core/storage_failure.h"

namespace tracebed {

inline constexpr std::size_t path_bytes_max = 8000;  // HdfsServerConstants.MAX_PATH_LENGTH
inline constexpr std::size_t path_depth_max = 1000;  // HdfsServerConstants.MAX_PATH_DEPTH
inline constexpr std::size_t component_bytes_max = 255;

// The names between the slashes; none for "/". They view `path`. Fails for a path that is not
// absolute, is too long or too deep, or has a component that is empty, ".", "..", too long, or
// contains ':' or a zero byte. One slash at the end is ignored. That it is UTF-8 is checked where
// it enters.
StorageResult<std::vector<std::string_view>> components_of(std::string_view path);

// Whether the second is the first or below it. Both are paths that components_of takes.
bool is_same_or_below(std::string_view path, std::string_view below);

}  // namespace tracebed
