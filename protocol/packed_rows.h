// Rows of integers as bytes. Consecutive rows are similar (ids count up, times are near each
// other), so of every number the difference to the one above it in its column is written: its sign
// in the lowest bit, without the leading bytes that are zero. A row begins with the number of bytes
// of each of its numbers, four bits for each, followed by all of them, little-endian.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace tracebed::log {

static_assert(std::endian::native == std::endian::little, "numbers are packed as memory is");

// Whether a number fits a field of 32 bits.
inline bool is_word(std::int64_t number) {
  return number >= 0 && number <= std::numeric_limits<std::uint32_t>::max();
}

// A row is a struct of std::int64_t members only.
template <class Row>
inline constexpr std::size_t row_fields = sizeof(Row) / sizeof(std::int64_t);
template <class Row>
using RowFields = std::array<std::int64_t, row_fields<Row>>;
template <class Row>
inline constexpr std::size_t row_header_bytes = (row_fields<Row> + 1) / 2;

template <class Row>
class RowPacker {
  static_assert(std::is_trivially_copyable_v<Row> && sizeof(RowFields<Row>) == sizeof(Row));

 public:
  // Has no branches that depend on the numbers: they would be mispredicted.
  void add(const Row& row) {
    if (bytes_.size() - used_ < row_bytes_max) {
      bytes_.resize(std::max(2 * bytes_.size(), std::size_t{64} * row_bytes_max));
    }
    const auto fields = std::bit_cast<RowFields<Row>>(row);
    std::uint8_t* const header = bytes_.data() + used_;
    std::uint8_t* const out = write(fields, header, header + row_header_bytes<Row>,
                                    std::make_index_sequence<row_header_bytes<Row>>());
    above_ = fields;
    used_ = static_cast<std::size_t>(out - bytes_.data());
  }

  std::span<const std::uint8_t> bytes() const { return std::span(bytes_).first(used_); }
  bool is_empty() const { return used_ == 0; }
  void clear() {
    used_ = 0;
    above_ = {};
  }

 private:
  static constexpr std::size_t row_bytes_max = row_header_bytes<Row> + sizeof(Row);

  // Written out for each pair of fields, which share a byte of the header.
  template <std::size_t... pairs>
  std::uint8_t* write(const RowFields<Row>& fields, std::uint8_t* header, std::uint8_t* out,
                      std::index_sequence<pairs...>) const {
    ((header[pairs] = write_pair<pairs>(fields, out)), ...);
    return out;
  }
  template <std::size_t pair>
  std::uint8_t write_pair(const RowFields<Row>& fields, std::uint8_t*& out) const {
    const std::size_t low = write_field(fields[2 * pair], above_[2 * pair], out);
    std::size_t high = 0;
    if constexpr (2 * pair + 1 < row_fields<Row>) {
      high = write_field(fields[2 * pair + 1], above_[2 * pair + 1], out);
    }
    return static_cast<std::uint8_t>(low | high << 4);
  }
  // Returns how many bytes the field has.
  static std::size_t write_field(std::int64_t field, std::int64_t above, std::uint8_t*& out) {
    const std::uint64_t difference =
        static_cast<std::uint64_t>(field) - static_cast<std::uint64_t>(above);
    const std::uint64_t number = (difference << 1) ^ (std::uint64_t{0} - (difference >> 63));
    std::memcpy(out, &number, sizeof(number));
    const auto last_bit = static_cast<std::size_t>(63 - std::countl_zero(number | 1));
    const std::size_t size = last_bit / 8 + (number != 0 ? 1 : 0);
    out += size;
    return size;
  }

  std::vector<std::uint8_t> bytes_;  // of which `used_` count; the rest is reserve
  std::size_t used_ = 0;
  RowFields<Row> above_{};
};

// As unpack_rows, of rows that were written with their first `written` fields alone, at most as
// many as they have now; the others are 0. A number that is known when this is compiled saves time.
template <class Row, class Number>
[[nodiscard]] bool unpack_shorter_rows(std::span<const std::uint8_t> bytes, std::vector<Row>& rows,
                                       Number written) {
  const std::size_t header_bytes = (written + 1) / 2;
  RowFields<Row> fields{};
  while (!bytes.empty()) {
    if (bytes.size() < header_bytes) return false;
    const auto header = bytes.first(header_bytes);
    bytes = bytes.subspan(header_bytes);
    for (std::size_t i = 0; i < written; ++i) {
      const std::size_t size = (unsigned{header[i / 2]} >> (i % 2 * 4)) & 0xFu;
      if (size > sizeof(std::uint64_t) || size > bytes.size()) return false;
      std::uint64_t number = 0;
      std::memcpy(&number, bytes.data(), size);
      bytes = bytes.subspan(size);
      const std::uint64_t difference = (number >> 1) ^ (std::uint64_t{0} - (number & 1));
      fields[i] = static_cast<std::int64_t>(static_cast<std::uint64_t>(fields[i]) + difference);
    }
    rows.push_back(std::bit_cast<Row>(fields));
  }
  return true;
}

// Appends the rows to `rows`. False if the bytes are not whole rows of 64-bit numbers.
template <class Row>
[[nodiscard]] bool unpack_rows(std::span<const std::uint8_t> bytes, std::vector<Row>& rows) {
  return unpack_shorter_rows(bytes, rows, std::integral_constant<std::size_t, row_fields<Row>>());
}

}  // namespace tracebed::log
