#include "kernels/check_word_count.h"

#include <string_view>

#include "kernels/decimal.h"

namespace tracebed::kernels {

WordCountCheck::WordCountCheck(const TextDataset& input) : RecordCheck(line_format) {
  const TextDataset::WordCounts counts = input.count_words();
  for (std::size_t rank = 0; rank < counts.words.size(); ++rank) {
    if (counts.words[rank] == 0) continue;
    missing_.emplace(input.vocabulary().word(rank).view(), counts.words[rank]);
  }
  for (std::size_t length = 0; length < counts.fillers.size(); ++length) {
    if (counts.fillers[length] == 0) continue;
    missing_.emplace(std::string(length, TextDataset::filler), counts.fillers[length]);
  }
}

Status WordCountCheck::check(const InputRecord& record) {
  const std::string_view line = text_of(record.bytes);
  const std::size_t tab = line.find('\t');
  const std::string_view word = line.substr(0, tab);
  const auto count =
      tab == std::string_view::npos ? std::nullopt : parse_decimal(line.substr(tab + 1));
  if (!count) return wrong("no word and count: " + std::string(line));
  if (word <= last_word_) return wrong(std::string(word) + " is behind " + last_word_);
  const auto expected = missing_.find(word);
  if (expected == missing_.end()) {
    return wrong(std::string(word) + " is no word of the input, or in two parts");
  }
  if (*count != expected->second) {
    return wrong(std::string(word) + " is counted " + std::to_string(*count) +
                 " times instead of " + std::to_string(expected->second));
  }
  missing_.erase(expected);
  last_word_ = word;
  return success();
}

Status WordCountCheck::finish() {
  if (missing_.empty()) return success();
  return Error{"no part has the word " + missing_.begin()->first};
}

}  // namespace tracebed::kernels
