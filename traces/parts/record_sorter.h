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

  // A record that is larger than `memory_max` is held nevertheless.
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
  // Records are stored one after the other, each with its head, as in the file.
  struct Piece {
    std::unique_ptr<char[]> bytes;
    std::size_t size = 0;
    std::size_t used = 0;
  };
  struct Entry {
    std::int64_t key = 0;
    const char* record = nullptr;  // its head
  };
  struct CloseFile {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  // A sorted run in the file, or the last one, in memory.
  class Run;

  std::size_t piece_bytes() const;
  // Begins a piece with room for a record of `bytes` bytes, including its head.
  void begin_piece(std::size_t bytes);
  void clear_records();
  void sort();
  void write(const char* bytes, std::size_t count);
  void write_run();
  void begin_merge();
  // The head of the next record of those in memory; null if there is none.
  const char* front_in_memory();
  void take_from_memory(std::int64_t& key, std::string_view& record);
  void take_from_file(std::int64_t& key, std::string_view& record);

  std::size_t memory_max_;
  // Pieces, since one growing array would be copied and exist twice. Those after the first `begun_`
  // are spare.
  std::vector<Piece> pieces_;
  std::size_t begun_ = 0;
  std::size_t held_ = 0;   // bytes of the pieces begun
  std::size_t count_ = 0;  // of records in them
  std::int64_t last_key_ = 0;
  bool is_in_order_ = true;     // as they lie
  std::vector<Entry> entries_;  // in order, where they do not lie so
  std::unique_ptr<std::FILE, CloseFile> file_;
  struct Range {
    long begin = 0;
    long end = 0;
  };
  std::vector<Range> file_runs_;
  std::vector<std::unique_ptr<Run>> merge_;  // those not at their end
  // Of the run in memory: the piece and byte of the next record, or its entry.
  std::size_t next_piece_ = 0;
  std::size_t next_byte_ = 0;
  std::size_t next_entry_ = 0;
  bool is_merging_ = false;
  std::string record_;  // of the last next(), where it came from the file
};

}  // namespace tracebed
