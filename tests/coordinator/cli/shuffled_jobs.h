// Jobs of a SWIM trace whose reduces fetch what maps keep, and what a run of them has fetched.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "support/csv_rows.h"

namespace tracebed {

// Name, submit time, gap, map input, shuffle and output in bytes: ten reduces of 1 MB each, and one
// of five.
inline constexpr const char* shuffled_jobs =
    "wide\t0\t0\t40000000\t10000000\t1000\n"
    "narrow\t1\t1\t20000000\t5000000\t0\n";
inline constexpr std::int64_t shuffled_bytes = 15'000'000;
// Rules under which they are that.
inline constexpr const char* shuffled_rules =
    "[trace.rules]\nswim.reduce_megabytes = 1\nswim.block_mib = 4\n";

// By attempts that succeeded, of the run with this folder.
inline std::int64_t fetched_bytes(const std::filesystem::path& folder, const std::string& column) {
  std::int64_t bytes = 0;
  for (const CsvRow& row : csv_rows(folder / "tasks.csv")) {
    if (row.at("end") == "succeeded") bytes += std::stoll(row.at(column));
  }
  return bytes;
}
inline std::int64_t fetched_bytes(const std::filesystem::path& folder) {
  return fetched_bytes(folder, "bytes_shuffle_node_local") +
         fetched_bytes(folder, "bytes_shuffle_rack_local") +
         fetched_bytes(folder, "bytes_shuffle_off_rack");
}

}  // namespace tracebed
