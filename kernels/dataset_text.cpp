#include "kernels/dataset_text.h"

#include <cstring>

#include "core/mix.h"

namespace tracebed::kernels {
namespace {

// A word and its separator are stored at once; the next word overwrites what is too much.
constexpr std::size_t stored_bytes = Vocabulary::word_bytes_max + 1;
constexpr std::size_t line_bytes_least = 40;
constexpr std::size_t line_bytes_range = 64;
static_assert(line_bytes_least + line_bytes_range + stored_bytes <= TextDataset::line_bytes_max);

// How many bytes of the page are left, at the most, where the line that begins now ends.
std::size_t left_at_line_end(std::uint64_t page, std::size_t left) {
  const std::size_t length = line_bytes_least + mix(page ^ left) % line_bytes_range;
  return left > length ? left - length : 0;
}

}  // namespace

TextDataset::TextDataset(std::uint64_t seed, std::uint64_t units)
    : Dataset(bytes_per_unit, units), key_(mix(seed)) {}

template <class Visit>
std::size_t TextDataset::visit_words(std::uint64_t index, const Visit& visit) const {
  const std::uint64_t page = mix(key_ ^ index);
  std::size_t left = bytes_per_unit;
  std::size_t line_end = left_at_line_end(page, left);
  for (std::uint64_t drawn = 0;; ++drawn) {
    std::uint64_t draw = mix(page + drawn);
    for (int quarter = 0; quarter < 4; ++quarter) {
      if (left < stored_bytes) return left;
      const std::uint16_t rank = vocabulary_.rank_of_slot(static_cast<std::uint16_t>(draw));
      draw >>= 16;
      left -= vocabulary_.word(rank).length + std::size_t{1};
      const bool ends_line = left <= line_end;
      visit(rank, ends_line);
      if (ends_line) line_end = left_at_line_end(page, left);
    }
  }
}

void TextDataset::fill_unit(std::uint64_t index, std::byte* to) const {
  std::byte* const end = to + bytes_per_unit;
  const std::size_t left = visit_words(index, [&](std::size_t rank, bool ends_line) {
    const Vocabulary::Word& word = vocabulary_.word(rank);
    std::memcpy(to, word.text.data(), stored_bytes);
    to += word.length;
    if (ends_line) *to = std::byte{'\n'};
    ++to;
  });
  if (left > 1) std::memset(to, filler, left - 1);
  end[-1] = std::byte{'\n'};
}

TextDataset::WordCounts TextDataset::count_words() const {
  WordCounts counts;
  for (std::uint64_t index = 0; index < units(); ++index) {
    const std::size_t left =
        visit_words(index, [&](std::size_t rank, bool) { ++counts.words[rank]; });
    if (left > 1) ++counts.fillers[left - 1];
  }
  return counts;
}

}  // namespace tracebed::kernels
