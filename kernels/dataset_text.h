// Text: lines of words by Zipf's law (kernels/vocabulary.h), with one blank between two words. A
// unit is a page of whole lines. The last line of a page is filled up by a run of `filler`, so that
// no line spans two pages; a run of n is a word of its own. Where a single byte is left, the line
// ends with a blank, or is empty.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/dataset.h"
#include "kernels/vocabulary.h"

namespace tracebed::kernels {

class TextDataset final : public Dataset {
 public:
  static constexpr std::size_t bytes_per_unit = 4'096;
  static constexpr std::uint64_t units_max = std::uint64_t{1} << 40;
  static constexpr char filler = '.';
  static constexpr std::size_t filler_bytes_max = Vocabulary::word_bytes_max - 1;
  static constexpr std::size_t line_bytes_max = 120;

  TextDataset(std::uint64_t seed, std::uint64_t units);

  const Vocabulary& vocabulary() const { return vocabulary_; }

  struct WordCounts {
    std::vector<std::uint64_t> words = std::vector<std::uint64_t>(Vocabulary::words);  // by rank
    // By length; the first is of none.
    std::vector<std::uint64_t> fillers = std::vector<std::uint64_t>(filler_bytes_max + 1);
  };
  // Of the whole file, from the draws alone: no text is made or parsed.
  WordCounts count_words() const;

 private:
  void fill_unit(std::uint64_t index, std::byte* to) const override;
  // Calls word(rank, ends_line) for each word of a page, and returns the bytes that are left.
  template <class Visit>
  std::size_t visit_words(std::uint64_t index, const Visit& visit) const;

  Vocabulary vocabulary_;
  std::uint64_t key_;
};

}  // namespace tracebed::kernels
