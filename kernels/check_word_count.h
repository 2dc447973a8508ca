// Word counts against those of the dataset's draws (TextDataset::count_words): no text is made or
// parsed for them.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "kernels/check_records.h"
#include "kernels/dataset_text.h"

namespace tracebed::kernels {

class WordCountCheck final : public RecordCheck {
 public:
  explicit WordCountCheck(const TextDataset& input);

  Status finish() override;

 private:
  Status check(const InputRecord& line) override;
  void begin_part() override { last_word_.clear(); }

  std::map<std::string, std::uint64_t, std::less<>> missing_;  // words that no part has had
  std::string last_word_;                                      // of the part
};

}  // namespace tracebed::kernels
