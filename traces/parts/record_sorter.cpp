#include "traces/parts/record_sorter.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <system_error>
#include <unistd.h>

#include "core/check.h"
#include "core/input_error.h"

namespace tracebed {
namespace {

[[noreturn]] void cannot(const char* what) {
  throw EnvironmentError(fmt::format(
      "a temporary file for sorting a trace cannot be {}: {} (TMPDIR says in which folder)", what,
      std::generic_category().message(errno)));
}

std::FILE* open_temporary() {
  const char* folder = std::getenv("TMPDIR");
  const int descriptor =
      ::open(folder != nullptr ? folder : "/tmp", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (descriptor < 0) cannot("made");
  std::FILE* file = ::fdopen(descriptor, "w+");
  if (file == nullptr) {
    ::close(descriptor);
    cannot("made");
  }
  return file;
}

struct Head {
  std::int64_t key = 0;
  std::uint32_t size = 0;
};

}  // namespace

// Reads ahead in large steps, since the runs are read in turn.
class RecordSorter::Run {
 public:
  Run(std::FILE* file, Range range, std::size_t number)
      : file_(file), at_(range.begin), end_(range.end), number_(number) {}

  // Moves to the next record; false at the end.
  bool advance() {
    Head head;
    if (!take(reinterpret_cast<char*>(&head), sizeof(head))) return false;
    key_ = head.key;
    record_.resize(head.size);
    return take(record_.data(), head.size);
  }
  std::int64_t key() const { return key_; }
  std::string& record() { return record_; }
  // Of two runs with equal keys the earlier one comes first.
  bool comes_after(const Run& other) const {
    return key_ != other.key_ ? key_ > other.key_ : number_ > other.number_;
  }
  std::size_t number() const { return number_; }

 private:
  static constexpr std::size_t step = 1 << 16;

  bool take(char* to, std::size_t size) {
    while (size > 0) {
      if (begin_ == buffer_.size() && !fill()) return false;
      const std::size_t part = std::min(size, buffer_.size() - begin_);
      std::memcpy(to, buffer_.data() + begin_, part);
      begin_ += part;
      to += part;
      size -= part;
    }
    return true;
  }
  bool fill() {
    const auto wanted = std::min<std::size_t>(step, static_cast<std::size_t>(end_ - at_));
    if (wanted == 0) return false;
    buffer_.resize(wanted);
    begin_ = 0;
    if (std::fseek(file_, at_, SEEK_SET) != 0 ||
        std::fread(buffer_.data(), 1, wanted, file_) != wanted) {
      cannot("read");
    }
    at_ += static_cast<long>(wanted);
    return true;
  }

  std::FILE* file_;
  long at_;
  long end_;
  std::size_t number_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0;
  std::int64_t key_ = 0;
  std::string record_;
};

RecordSorter::RecordSorter(std::size_t memory_max) : memory_max_(memory_max) {}
RecordSorter::~RecordSorter() = default;
RecordSorter::RecordSorter(RecordSorter&&) noexcept = default;
RecordSorter& RecordSorter::operator=(RecordSorter&&) noexcept = default;

void RecordSorter::add(std::int64_t key, std::string_view record) {
  TRACEBED_CHECK(!is_merging_, "records are added before the first is taken");
  TRACEBED_CHECK(record.size() <= UINT32_MAX, "a record's size fits in 32 bits");
  const std::size_t used = bytes_ + entries_.size() * sizeof(Entry);
  if (!entries_.empty() && used + record.size() > memory_max_) write_run();
  char* const room = room_for(record.size());
  std::copy(record.begin(), record.end(), room);
  bytes_ += record.size();
  entries_.push_back({key, room, static_cast<std::uint32_t>(record.size())});
}

char* RecordSorter::room_for(std::size_t size) {
  // No more than memory_max_ is spoilt by a piece that is hardly begun.
  const std::size_t piece_bytes = std::min<std::size_t>(memory_max_ / 8 + 1, 1 << 20);
  if (size > piece_bytes / 4)
    return large_.emplace_back(std::make_unique_for_overwrite<char[]>(size)).get();
  if (piece_ < pieces_.size() && piece_used_ + size > piece_bytes) {
    ++piece_;
    piece_used_ = 0;
  }
  if (piece_ == pieces_.size())
    pieces_.push_back(std::make_unique_for_overwrite<char[]>(piece_bytes));
  char* const room = pieces_[piece_].get() + piece_used_;
  piece_used_ += size;
  return room;
}

void RecordSorter::clear_records() {
  entries_.clear();
  large_.clear();
  bytes_ = 0;
  piece_ = 0;
  piece_used_ = 0;
}

void RecordSorter::sort() {
  const auto before = [](const Entry& a, const Entry& b) { return a.key < b.key; };
  if (!std::is_sorted(entries_.begin(), entries_.end(), before)) {
    std::stable_sort(entries_.begin(), entries_.end(), before);
  }
}

void RecordSorter::write_run() {
  if (!file_) file_.reset(open_temporary());
  sort();
  if (std::fseek(file_.get(), 0, SEEK_END) != 0) cannot("written");
  Range range;
  range.begin = std::ftell(file_.get());
  for (const Entry& entry : entries_) {
    const Head head{entry.key, entry.size};
    if (std::fwrite(&head, sizeof(head), 1, file_.get()) != 1 ||
        std::fwrite(entry.bytes, 1, entry.size, file_.get()) != entry.size) {
      cannot("written");
    }
  }
  range.end = std::ftell(file_.get());
  if (std::fflush(file_.get()) != 0) cannot("written");
  file_runs_.push_back(range);
  clear_records();
}

void RecordSorter::begin_merge() {
  is_merging_ = true;
  sort();
  for (const Range& range : file_runs_) {
    auto run = std::make_unique<Run>(file_.get(), range, merge_.size());
    if (run->advance()) merge_.push_back(std::move(run));
  }
  std::make_heap(merge_.begin(), merge_.end(),
                 [](const auto& a, const auto& b) { return a->comes_after(*b); });
}

bool RecordSorter::next(std::int64_t& key, std::string_view& record) {
  if (!is_merging_) begin_merge();
  const auto later = [](const auto& a, const auto& b) { return a->comes_after(*b); };
  const bool has_memory = next_entry_ < entries_.size();
  // What is in memory came last, so on equal keys a run of the file goes first.
  if (!merge_.empty() && (!has_memory || merge_.front()->key() <= entries_[next_entry_].key)) {
    std::pop_heap(merge_.begin(), merge_.end(), later);
    Run& run = *merge_.back();
    key = run.key();
    record_.swap(run.record());
    record = record_;
    if (run.advance()) {
      std::push_heap(merge_.begin(), merge_.end(), later);
    } else {
      merge_.pop_back();
    }
    return true;
  }
  if (!has_memory) return false;
  const Entry& entry = entries_[next_entry_++];
  key = entry.key;
  record = {entry.bytes, entry.size};
  return true;
}

}  // namespace tracebed
