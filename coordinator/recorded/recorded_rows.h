// The CSV files of a recorded run, compared byte by byte with the rows that its log decides, while
// these are made.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "report/byte_output.h"

namespace tracebed {

struct RowDifference {
  std::string file;
  std::uint64_t line = 0;  // in the file, from 1
  std::string column;      // the first that differs; empty if one of them has no such row
  std::string decided;     // the row; empty if there is none
  std::string recorded;

  // "tasks.csv:7: node: the log decides …, the file has …".
  std::string text() const;
};

class RecordedRows final : public OutputFolder {
 public:
  enum class Extent : std::uint8_t {
    whole,    // the files have these rows and no others
    written,  // the run was cut short: files end before the log does, or the log before them
  };
  RecordedRows(std::filesystem::path folder, Extent extent);

  // The file to compare, or its compressed form if there is none; nothing is written to it.
  std::unique_ptr<ByteOutput> create(const std::string& name) override;
  // For a file without rows from the log; a difference if the extent is whole.
  void expect(const std::string& name);

  // The first of each file that differs, in the order in which they were created.
  std::vector<RowDifference> differences() const;

 private:
  std::filesystem::path folder_;
  Extent extent_;
  std::set<std::string, std::less<>> created_;
  // In the order of creation; set when one is found. Their addresses stay.
  std::vector<std::unique_ptr<std::optional<RowDifference>>> found_;
};

}  // namespace tracebed
