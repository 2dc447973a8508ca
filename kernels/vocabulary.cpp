#include "kernels/vocabulary.h"

#include "core/check.h"
#include "core/mix.h"

namespace tracebed::kernels {
namespace {

constexpr std::string_view consonants = "bcdfghjklmnprstvwxyz";
constexpr std::string_view vowels = "aeiou";
constexpr std::size_t syllables = consonants.size() * vowels.size();
constexpr std::array<std::string_view, 8> endings = {"", "n", "st", "rk", "ng", "l", "nds", "ms"};

// One syllable for each digit of the rank, and an ending of consonants, which no syllable is.
Vocabulary::Word spell(std::size_t rank) {
  Vocabulary::Word word;
  word.text.fill(' ');
  const auto add = [&word](char letter) {
    TRACEBED_CHECK(word.length < Vocabulary::word_bytes_max, "a word fits in its place");
    word.text[word.length++] = letter;
  };
  std::size_t rest = rank;
  do {
    const std::size_t syllable = rest % syllables;
    add(consonants[syllable / vowels.size()]);
    add(vowels[syllable % vowels.size()]);
    rest /= syllables;
  } while (rest > 0);
  for (const char letter : endings[mix(rank) % endings.size()]) add(letter);
  return word;
}

}  // namespace

Vocabulary::Vocabulary() : ranks_(slots), words_(words) {
  constexpr std::uint64_t unit = std::uint64_t{1} << 40;
  std::uint64_t total = 0;
  for (std::size_t rank = 0; rank < words; ++rank) {
    words_[rank] = spell(rank);
    total += unit / (rank + 1);
  }
  std::uint64_t sum = 0;
  std::size_t begin = 0;
  for (std::size_t rank = 0; rank < words; ++rank) {
    sum += unit / (rank + 1);
    const std::size_t end = sum * slots / total;
    TRACEBED_CHECK(end > begin, "each word has a slot");
    for (; begin < end; ++begin) ranks_[begin] = static_cast<std::uint16_t>(rank);
  }
}

}  // namespace tracebed::kernels
