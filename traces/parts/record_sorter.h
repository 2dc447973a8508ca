// Brings records into the order of their keys in bounded memory: what does not fit is kept in an
// unnamed temporary file as sorted runs, which are merged when the records are taken.
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
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
    const char* bytes = nullptr;
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
  // Room for a record, which stays where it is until clear_records().
  char* room_for(std::size_t size);
  void clear_records();

  std::size_t memory_max_;
  // Records lie in pieces, since one growing array would be copied and be there twice.
  std::vector<std::unique_ptr<char[]>> pieces_;
  std::size_t piece_ = 0;                       // those before are full
  std::size_t piece_used_ = 0;                  // bytes
  std::vector<std::unique_ptr<char[]>> large_;  // records above a piece
  std::size_t bytes_ = 0;                       // of all records in memory
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
