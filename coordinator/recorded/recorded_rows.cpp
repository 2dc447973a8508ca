#include "coordinator/recorded/recorded_rows.h"

#include <algorithm>
#include <fmt/format.h>
#include <string_view>
#include <utility>

#include "system/mapped_file.h"

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

std::string_view line_at(std::string_view text, std::size_t begin) {
  return text.substr(begin, text.find('\n', begin) - begin);
}

class ComparedFile final : public ByteOutput {
 public:
  ComparedFile(std::string name, const std::filesystem::path& path, RecordedRows::Extent extent,
               std::optional<RowDifference>& found)
      : name_(std::move(name)), extent_(extent), found_(found) {
    if (std::filesystem::exists(path)) file_.emplace(path);
  }

  void write(std::string_view bytes) override {
    if (is_done_) return;
    if (differs_) return decide_more(bytes);
    const std::string_view rest = recorded().substr(position_);
    const auto [decided, there] =
        std::mismatch(bytes.begin(), bytes.end(), rest.begin(), rest.end());
    const auto same = static_cast<std::size_t>(decided - bytes.begin());
    position_ += same;
    if (same == bytes.size()) return;
    if (there == rest.end() && extent_ == RecordedRows::Extent::written) {
      is_done_ = true;  // the rest was not written any more
      return;
    }
    differs_ = true;
    decide_more(bytes.substr(same));
  }

  void close() override {
    const bool has_more = !differs_ && position_ < recorded().size();
    if (is_done_ || (has_more && extent_ == RecordedRows::Extent::written)) return;
    if (differs_ || has_more) tell();
  }

 private:
  std::string_view recorded() const { return file_ ? file_->bytes() : std::string_view(); }

  // Gathers the rest of the decided row that differs.
  void decide_more(std::string_view bytes) {
    const std::size_t end = bytes.find('\n');
    rest_ += bytes.substr(0, end);
    if (end != std::string_view::npos) tell();
  }

  void tell() {
    is_done_ = true;
    const std::string_view all = recorded();
    const std::size_t before =
        position_ == 0 ? std::string_view::npos : all.rfind('\n', position_ - 1);
    const std::size_t row = before == std::string_view::npos ? 0 : before + 1;
    RowDifference& difference = found_.emplace();
    difference.file = name_;
    difference.line = 1 + static_cast<std::uint64_t>(std::count(
                              all.begin(), all.begin() + static_cast<std::ptrdiff_t>(row), '\n'));
    difference.recorded = line_at(all, row);
    difference.decided = std::string(all.substr(row, position_ - row)) + rest_;
    if (!difference.recorded.empty() && !difference.decided.empty()) {
      difference.column = column_at(line_at(all, 0), difference.decided, position_ - row);
    }
  }

  std::string name_;
  RecordedRows::Extent extent_;
  std::optional<RowDifference>& found_;
  std::optional<MappedFile> file_;
  std::size_t position_ = 0;  // up to which both are the same
  std::string rest_;          // of the decided row, from there
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
