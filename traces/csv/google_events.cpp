#include "traces/csv/google_events.h"

#include <algorithm>
#include <fmt/format.h>
#include <system_error>
#include <tuple>

#include "core/check.h"
#include "core/input_error.h"
#include "core/unknown_constant.h"
#include "traces/parts/witnessed_bytes.h"

namespace tracebed {

std::string_view name(GoogleEvent event) {
  switch (event) {
    case GoogleEvent::submit:
      return "SUBMIT";
    case GoogleEvent::schedule:
      return "SCHEDULE";
    case GoogleEvent::evict:
      return "EVICT";
    case GoogleEvent::fail:
      return "FAIL";
    case GoogleEvent::finish:
      return "FINISH";
    case GoogleEvent::kill:
      return "KILL";
    case GoogleEvent::lost:
      return "LOST";
    case GoogleEvent::update_pending:
      return "UPDATE_PENDING";
    case GoogleEvent::update_running:
      return "UPDATE_RUNNING";
  }
  unknown_constant();
}

std::vector<std::filesystem::path> google_parts(const std::filesystem::path& folder,
                                                std::string_view name) {
  std::vector<std::filesystem::path> parts;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder / name, error)) {
    if (entry.path().filename().string().starts_with("part-")) parts.push_back(entry.path());
  }
  std::sort(parts.begin(), parts.end());
  return parts;
}

GoogleFiles find_google_files(const std::filesystem::path& path) {
  if (!std::filesystem::is_directory(path)) return {{path}, {}};
  GoogleFiles files{google_parts(path, "task_events"), google_parts(path, "job_events")};
  if (files.tasks.empty()) {
    throw InputError(
        fmt::format("{}: expected a trace file, Google's folder with task_events/part-…, or "
                    "Alibaba's with batch_task.csv, got a folder without them",
                    path.string()));
  }
  return files;
}

// A file that is open, and its row at hand.
class GoogleTable::Part {
 public:
  Part(LineReader lines, std::span<const std::string_view> columns, RowOrder order,
       BadRows& bad_rows)
      : lines_(std::move(lines), ","),
        row_(columns, bad_rows),
        order_(order),
        bad_rows_(bad_rows) {}

  bool advance() {
    bad_rows_.set_trace(lines_.source().name());
    std::string_view line;
    while (lines_.next(bad_rows_, line)) {
      std::int64_t time = 0;
      if (!row_.assign(line, lines_.line_number()) || !row_.whole(0, 0, INT64_MAX, time)) continue;
      if (time < time_ && order_ == RowOrder::submit) {
        row_.bad(
            BadRow::order, 0,
            fmt::format("{} or later, as in the row above (rule trace.order = any sorts)", time_));
        continue;
      }
      time_ = time;
      return true;
    }
    return false;
  }
  CsvRow& row() { return row_; }
  std::int64_t time() const { return time_; }
  const TextLines& lines() const { return lines_; }
  bool comes_before(const Part& other) const {
    return std::tuple(time_, lines_.source().name()) <
           std::tuple(other.time_, other.lines_.source().name());
  }

 private:
  TextLines lines_;
  CsvRow row_;
  RowOrder order_;
  BadRows& bad_rows_;
  std::int64_t time_ = 0;
};

namespace {

LineReader lines_of(const std::filesystem::path& path, std::size_t line_bytes_max,
                    InputWitness* witness) {
  return {path.string(), decompressed(open_witnessed(path.string(), witness)), line_bytes_max};
}

// The time in the first row; what is wrong with it is told when the file is read.
std::int64_t first_time_of(const std::filesystem::path& path, std::size_t line_bytes_max,
                           InputWitness* witness) {
  LineReader lines = lines_of(path, line_bytes_max, witness);
  const std::string_view head = lines.peek();
  const Whole time = read_whole(head.substr(0, head.find(',')));
  return time.fault == NumberFault::none ? time.value : 0;
}

}  // namespace

GoogleTable::GoogleTable(std::vector<std::filesystem::path> files,
                         std::span<const std::string_view> columns, const TraceOptions& options,
                         BadRows& bad_rows)
    : columns_(columns),
      order_(options.rules.common.order),
      bad_rows_(bad_rows),
      line_bytes_max_(options.line_bytes_max()),
      witness_(options.witness) {
  for (std::filesystem::path& path : files) {
    const std::int64_t first_time = first_time_of(path, line_bytes_max_, witness_);
    waiting_.push_back({first_time, std::move(path)});
  }
  std::sort(waiting_.begin(), waiting_.end(), [](const Waiting& a, const Waiting& b) {
    return std::tie(a.first_time, a.path) > std::tie(b.first_time, b.path);
  });
}

GoogleTable::GoogleTable(LineReader lines, std::span<const std::string_view> columns,
                         const TraceOptions& options, BadRows& bad_rows)
    : columns_(columns),
      order_(options.rules.common.order),
      bad_rows_(bad_rows),
      compression_(lines.compression()) {
  parts_.push_back(std::make_unique<Part>(std::move(lines), columns_, order_, bad_rows_));
  if (!parts_.front()->advance()) close_front();
}

GoogleTable::~GoogleTable() = default;

void GoogleTable::close_front() {
  closed_bytes_ += parts_.front()->lines().source().text_bytes();
  closed_blank_lines_ += parts_.front()->lines().blank_lines();
  closed_header_rows_ += parts_.front()->lines().header_rows();
  parts_.erase(parts_.begin());
}

void GoogleTable::open_due() {
  while (!waiting_.empty() &&
         (parts_.empty() || waiting_.back().first_time <= parts_.front()->time())) {
    LineReader lines = lines_of(waiting_.back().path, line_bytes_max_, witness_);
    waiting_.pop_back();
    compression_ = lines.compression();
    auto part = std::make_unique<Part>(std::move(lines), columns_, order_, bad_rows_);
    if (!part->advance()) {
      closed_bytes_ += part->lines().source().text_bytes();
      continue;
    }
    const auto place = std::find_if(parts_.begin(), parts_.end(),
                                    [&](const auto& other) { return part->comes_before(*other); });
    parts_.insert(place, std::move(part));
  }
}

bool GoogleTable::next() {
  if (has_taken_) {
    Part& front = *parts_.front();
    if (!front.advance()) {
      close_front();
    } else {
      // Few are open, mostly one: the one that moved goes to its place.
      for (std::size_t i = 0; i + 1 < parts_.size() && parts_[i + 1]->comes_before(*parts_[i]);
           ++i) {
        std::swap(parts_[i], parts_[i + 1]);
      }
    }
  }
  open_due();
  has_taken_ = !parts_.empty();
  if (!has_taken_) return false;
  time_ = parts_.front()->time();
  bad_rows_.set_trace(parts_.front()->lines().source().name());
  return true;
}

CsvRow& GoogleTable::row() {
  TRACEBED_CHECK(has_taken_, "there is a row at hand");
  return parts_.front()->row();
}

std::uint64_t GoogleTable::text_bytes() const {
  std::uint64_t bytes = closed_bytes_;
  for (const auto& part : parts_) bytes += part->lines().source().text_bytes();
  return bytes;
}

std::uint64_t GoogleTable::header_rows() const {
  std::uint64_t rows = closed_header_rows_;
  for (const auto& part : parts_) rows += part->lines().header_rows();
  return rows;
}

std::uint64_t GoogleTable::blank_lines() const {
  std::uint64_t lines = closed_blank_lines_;
  for (const auto& part : parts_) lines += part->lines().blank_lines();
  return lines;
}

}  // namespace tracebed
