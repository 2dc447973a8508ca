// The words of generated text, by rank, and how often they are drawn: by Zipf's law (1949), the
// word of rank r with a probability in proportion to 1/r. A draw is one of 65,536 slots, of which
// each word has at least one, so that all probabilities are exact, and integers make the table.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace tracebed::kernels {

class Vocabulary {
 public:
  static constexpr std::size_t words = 5'000;
  static constexpr std::size_t slots = 65'536;
  static constexpr std::size_t word_bytes_max = 7;

  struct Word {
    std::array<char, word_bytes_max + 1> text{};  // behind the word there are blanks
    std::uint8_t length = 0;
    std::string_view view() const { return {text.data(), length}; }
  };

  Vocabulary();

  std::uint16_t rank_of_slot(std::uint16_t slot) const { return ranks_[slot]; }
  // Ranks are from 0 on. Words are of small letters, and no two are equal.
  const Word& word(std::size_t rank) const { return words_[rank]; }

 private:
  std::vector<std::uint16_t> ranks_;  // by slot
  std::vector<Word> words_;           // by rank
};

}  // namespace tracebed::kernels
