// Brings records into the order of their keys in bounded memory: what does not fit is kept in an
// unnamed temporary file as sorted runs, which are merged when the records are taken.
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tracebed {

class RecordSorter {
 public:
  static constexpr std::size_t default_memory_max = std::size_t{64} << 20;

  // A record that is larger than `memory_max` is held all the same.
  explicit RecordSorter(std::size_t memory_max = default_memory_max);
  ~RecordSorter();
  RecordSorter(RecordSorter&&) noexcept;
  RecordSorter& operator=(RecordSorter&&) noexcept;

  // Not after the first call of next(). Throws EnvironmentError if the temporary file cannot be
  // made or written.
  void add(std::int64_t key, std::string_view record);
  // The next record by key; among equal keys, in the order of add(). `record` is valid until the
  // next call. False at the end.
  bool next(std::int64_t& key, std::string_view& record);

  std::size_t runs_in_file() const { return file_runs_.size(); }

 private:
  struct Entry {
    std::int64_t key = 0;
    std::size_t begin = 0;
    std::uint32_t size = 0;
  };
  struct CloseFile {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  // A sorted run in the file, or the last one, in memory.
  class Run;

  void sort();
  void write_run();
  void begin_merge();
  std::span<const char> bytes_of(const Entry& entry) const {
    return std::span(bytes_).subspan(entry.begin, entry.size);
  }

  std::size_t memory_max_;
  std::vector<char> bytes_;
  std::vector<Entry> entries_;
  std::unique_ptr<std::FILE, CloseFile> file_;
  struct Range {
    long begin = 0;
    long end = 0;
  };
  std::vector<Range> file_runs_;
  std::vector<std::unique_ptr<Run>> merge_;  // those not at their end
  std::size_t next_entry_ = 0;               // of the run in memory
  bool is_merging_ = false;
  std::string record_;  // of the last next(), where it came from the file
};

}  // namespace tracebed
