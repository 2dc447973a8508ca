#include "traces/parts/record_sorter.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <system_error>
#include <unistd.h>

#include "core/check.h"
#include "core/input_error.h"
#include "system/temporary_folder.h"

namespace tracebed {
namespace {

[[noreturn]] void cannot(const char* what) {
  throw EnvironmentError(
      fmt::format("a temporary file for sorting a trace cannot be {}: {} (TMPDIR sets its folder)",
                  what, std::generic_category().message(errno)));
}

std::FILE* open_temporary() {
  const int descriptor = ::open(temporary_folder().c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (descriptor < 0) cannot("made");
  std::FILE* file = ::fdopen(descriptor, "w+");
  if (file == nullptr) {
    ::close(descriptor);
    cannot("made");
  }
  return file;
}

struct Head {
  static constexpr std::size_t bytes = sizeof(std::int64_t) + sizeof(std::uint32_t);

  void write(char* to) const {
    std::memcpy(to, &key, sizeof(key));
    std::memcpy(to + sizeof(key), &size, sizeof(size));
  }
  static Head read(const char* from) {
    Head head;
    std::memcpy(&head.key, from, sizeof(head.key));
    std::memcpy(&head.size, from + sizeof(head.key), sizeof(head.size));
    return head;
  }

  std::int64_t key = 0;
  std::uint32_t size = 0;
};

}  // namespace

// Reads ahead in large steps, since the runs are read in turn.
class RecordSorter::Run {
 public:
  Run(std::FILE* file, Range range, std::size_t number, std::size_t step)
      : file_(file), at_(range.begin), end_(range.end), number_(number), step_(step) {}

  // Moves to the next record; false at the end.
  bool advance() {
    std::array<char, Head::bytes> bytes;
    if (!take(bytes.data(), bytes.size())) return false;
    const Head head = Head::read(bytes.data());
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
    const auto wanted = std::min<std::size_t>(step_, static_cast<std::size_t>(end_ - at_));
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
  std::size_t step_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0;
  std::int64_t key_ = 0;
  std::string record_;
};

RecordSorter::RecordSorter(std::size_t memory_max) : memory_max_(memory_max) {}
RecordSorter::~RecordSorter() = default;
RecordSorter::RecordSorter(RecordSorter&&) noexcept = default;
RecordSorter& RecordSorter::operator=(RecordSorter&&) noexcept = default;

std::size_t RecordSorter::piece_bytes() const {
  // No more than a part of the memory is spoilt by a piece that is hardly begun.
  return std::min<std::size_t>(memory_max_ / 8 + 1, 1 << 20);
}

void RecordSorter::add(std::int64_t key, std::string_view record) {
  TRACEBED_CHECK(!is_merging_, "records are added before the first is taken");
  TRACEBED_CHECK(record.size() <= UINT32_MAX, "a record's size fits in 32 bits");
  const std::size_t bytes = Head::bytes + record.size();
  if (begun_ == 0 || pieces_[begun_ - 1].size - pieces_[begun_ - 1].used < bytes) {
    begin_piece(bytes);
  }
  Piece& piece = pieces_[begun_ - 1];
  char* const room = piece.bytes.get() + piece.used;
  Head{key, static_cast<std::uint32_t>(record.size())}.write(room);
  std::copy(record.begin(), record.end(), room + Head::bytes);
  piece.used += bytes;
  is_in_order_ &= count_ == 0 || key >= last_key_;
  last_key_ = key;
  ++count_;
}

void RecordSorter::begin_piece(std::size_t bytes) {
  const std::size_t size = std::max(piece_bytes(), bytes);
  if (count_ > 0 && held_ + size + count_ * sizeof(Entry) > memory_max_) write_run();
  if (begun_ == pieces_.size() || size > pieces_[begun_].size) {
    pieces_.insert(pieces_.begin() + static_cast<std::ptrdiff_t>(begun_),
                   {std::make_unique_for_overwrite<char[]>(size), size, 0});
  }
  pieces_[begun_].used = 0;
  held_ += pieces_[begun_++].size;
}

void RecordSorter::clear_records() {
  // Those made for one large record are not needed again.
  std::erase_if(pieces_, [this](const Piece& piece) { return piece.size > piece_bytes(); });
  entries_.clear();
  begun_ = 0;
  held_ = 0;
  count_ = 0;
  is_in_order_ = true;
}

void RecordSorter::sort() {
  if (is_in_order_) return;
  entries_.reserve(count_);
  for (std::size_t i = 0; i < begun_; ++i) {
    const char* at = pieces_[i].bytes.get();
    for (const char* const end = at + pieces_[i].used; at < end;) {
      const Head head = Head::read(at);
      entries_.push_back({head.key, at});
      at += Head::bytes + head.size;
    }
  }
  std::stable_sort(entries_.begin(), entries_.end(),
                   [](const Entry& a, const Entry& b) { return a.key < b.key; });
}

void RecordSorter::write(const char* bytes, std::size_t count) {
  if (std::fwrite(bytes, 1, count, file_.get()) != count) cannot("written");
}

void RecordSorter::write_run() {
  if (!file_) file_.reset(open_temporary());
  sort();
  if (std::fseek(file_.get(), 0, SEEK_END) != 0) cannot("written");
  Range range;
  range.begin = std::ftell(file_.get());
  if (is_in_order_) {
    for (std::size_t i = 0; i < begun_; ++i) write(pieces_[i].bytes.get(), pieces_[i].used);
  } else {
    for (const Entry& entry : entries_) {
      write(entry.record, Head::bytes + Head::read(entry.record).size);
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
  // All buffers together stay small beside the run in memory, for as many runs as a disk holds: a
  // terabyte of records in runs of 64 MiB is 16,384 of them, and takes 64 MiB of buffers.
  constexpr std::size_t step_least = 1 << 12;
  constexpr std::size_t step_most = 1 << 16;
  const std::size_t share = memory_max_ / 8 / std::max<std::size_t>(file_runs_.size(), 1);
  const std::size_t step = std::clamp(share, step_least, step_most);
  for (const Range& range : file_runs_) {
    auto run = std::make_unique<Run>(file_.get(), range, merge_.size(), step);
    if (run->advance()) merge_.push_back(std::move(run));
  }
  std::make_heap(merge_.begin(), merge_.end(),
                 [](const auto& a, const auto& b) { return a->comes_after(*b); });
}

const char* RecordSorter::front_in_memory() {
  if (!is_in_order_) {
    return next_entry_ < entries_.size() ? entries_[next_entry_].record : nullptr;
  }
  if (next_piece_ == begun_) return nullptr;
  return pieces_[next_piece_].bytes.get() + next_byte_;
}

void RecordSorter::take_from_memory(std::int64_t& key, std::string_view& record) {
  const char* const front = front_in_memory();
  const Head head = Head::read(front);
  key = head.key;
  record = {front + Head::bytes, head.size};
  ++next_entry_;
  next_byte_ += Head::bytes + head.size;
  if (is_in_order_ && next_byte_ == pieces_[next_piece_].used) {
    ++next_piece_;
    next_byte_ = 0;
  }
}

void RecordSorter::take_from_file(std::int64_t& key, std::string_view& record) {
  const auto later = [](const auto& a, const auto& b) { return a->comes_after(*b); };
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
}

bool RecordSorter::next(std::int64_t& key, std::string_view& record) {
  if (!is_merging_) begin_merge();
  const char* const front = front_in_memory();
  // What is in memory came last, so on equal keys a run of the file goes first.
  if (!merge_.empty() && (front == nullptr || merge_.front()->key() <= Head::read(front).key)) {
    take_from_file(key, record);
    return true;
  }
  if (front == nullptr) return false;
  take_from_memory(key, record);
  return true;
}

}  // namespace tracebed
