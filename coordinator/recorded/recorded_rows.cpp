#include "coordinator/recorded/recorded_rows.h"

#include <algorithm>
#include <fmt/format.h>
#include <string_view>
#include <utility>

#include "report/row_bytes.h"
#include "system/zstd_stream.h"

namespace tracebed {
namespace {

// The name of the column in which byte `at` of the row is.
std::string column_at(std::string_view header, std::string_view row, std::size_t at) {
  std::size_t column = 0;
  bool is_quoted = false;
  for (const char letter : row.substr(0, at)) {
    if (letter == '"') is_quoted = !is_quoted;
    if (letter == ',' && !is_quoted) ++column;
  }
  for (; column > 0; --column) {
    const std::size_t comma = header.find(',');
    if (comma == std::string_view::npos) return "";
    header.remove_prefix(comma + 1);
  }
  return std::string(header.substr(0, header.find(',')));
}

std::filesystem::path compressed_path(std::filesystem::path path) {
  return path += compressed_suffix;
}

// Reads the file along with what is decided; of both at most a row is kept.
class ComparedFile final : public ByteOutput {
 public:
  ComparedFile(std::string name, const std::filesystem::path& path, RecordedRows::Extent extent,
               std::optional<RowDifference>& found)
      : name_(std::move(name)), extent_(extent), found_(found) {
    if (std::filesystem::exists(path)) {
      file_ = open_rows(path);
    } else if (std::filesystem::exists(compressed_path(path))) {
      file_ = open_rows(compressed_path(path));
    }
  }

  void write(std::string_view bytes) override {
    while (!bytes.empty() && !is_done_ && !differs_) {
      const std::string_view there = recorded(std::min(bytes.size(), part_bytes));
      const auto [decided, in_file] =
          std::mismatch(bytes.begin(), bytes.end(), there.begin(), there.end());
      const auto same = static_cast<std::size_t>(decided - bytes.begin());
      pass(bytes.substr(0, same));
      bytes.remove_prefix(same);
      if (bytes.empty() || (in_file == there.end() && !there.empty())) continue;
      if (there.empty() && extent_ == RecordedRows::Extent::written) {
        is_done_ = true;  // the rest was not written any more
      } else {
        differs_ = true;
      }
    }
    if (differs_ && !is_done_) decide_more(bytes);
  }

  void close() override {
    const bool has_more = !is_done_ && !differs_ && !recorded(1).empty();
    if (is_done_ || (has_more && extent_ == RecordedRows::Extent::written)) return;
    if (differs_ || has_more) report_difference();
  }

 private:
  static constexpr std::size_t part_bytes = std::size_t{64} << 10;

  // From where both are the same up to; empty at the end.
  std::string_view recorded(std::size_t bytes) {
    if (file_ == nullptr) return {};
    try {
      return file_->part(position_, bytes);
    } catch (const TruncatedFile&) {
      if (extent_ == RecordedRows::Extent::written) return {};
      throw;
    }
  }

  void pass(std::string_view bytes) {
    position_ += bytes.size();
    line_ += static_cast<std::uint64_t>(std::count(bytes.begin(), bytes.end(), '\n'));
    const std::size_t last = bytes.rfind('\n');
    if (last == std::string_view::npos) {
      row_ += bytes;
      return;
    }
    if (header_.empty()) header_ = row_ + std::string(bytes.substr(0, bytes.find('\n')));
    row_ = bytes.substr(last + 1);
  }

  // Gathers the rest of the decided row that differs.
  void decide_more(std::string_view bytes) {
    const std::size_t end = bytes.find('\n');
    rest_ += bytes.substr(0, end);
    if (end != std::string_view::npos) report_difference();
  }

  void report_difference() {
    is_done_ = true;
    RowDifference& difference = found_.emplace();
    difference.file = name_;
    difference.line = line_;
    difference.decided = row_ + rest_;
    const std::string_view there = recorded(row_bytes_max);
    difference.recorded = row_ + std::string(there.substr(0, there.find('\n')));
    if (!difference.recorded.empty() && !difference.decided.empty()) {
      difference.column = column_at(header_.empty() ? difference.recorded : header_,
                                    difference.decided, row_.size());
    }
  }

  static constexpr std::size_t row_bytes_max = std::size_t{1} << 20;  // a difference shows less

  std::string name_;
  RecordedRows::Extent extent_;
  std::optional<RowDifference>& found_;
  std::unique_ptr<RowBytes> file_;  // null: there is none
  std::uint64_t position_ = 0;      // up to which both are the same
  std::uint64_t line_ = 1;          // there
  std::string header_;              // without its end; empty within it
  std::string row_;                 // of the row there: what both have
  std::string rest_;                // of the decided row, from there
  bool differs_ = false;
  bool is_done_ = false;
};

std::string quoted_or_none(const std::string& row) {
  constexpr std::size_t bytes_max = 500;
  return row.empty() ? "no such row" : fmt::format("\"{}\"", row.substr(0, bytes_max));
}

}  // namespace

std::string RowDifference::text() const {
  return fmt::format("{}:{}: {}{}the log decides {}, the file has {}", file, line, column,
                     column.empty() ? "" : ": ", quoted_or_none(decided), quoted_or_none(recorded));
}

RecordedRows::RecordedRows(std::filesystem::path folder, Extent extent)
    : folder_(std::move(folder)), extent_(extent) {}

std::unique_ptr<ByteOutput> RecordedRows::create(const std::string& name) {
  created_.insert(name);
  auto& found = found_.emplace_back(std::make_unique<std::optional<RowDifference>>());
  return std::make_unique<ComparedFile>(name, folder_ / name, extent_, *found);
}

void RecordedRows::expect(const std::string& name) {
  if (!created_.contains(name)) create(name)->close();
}

std::vector<RowDifference> RecordedRows::differences() const {
  std::vector<RowDifference> differences;
  for (const auto& found : found_) {
    if (*found) differences.push_back(**found);
  }
  return differences;
}

}  // namespace tracebed
