// Counts words (org.apache.hadoop.examples.WordCount): what blanks, tabs, line ends, carriage
// returns and form feeds separate, as java.util.StringTokenizer has it. Output: a word, a tab and
// its count in decimal digits, in the order of words within a part.
#pragma once

#include <memory>

#include "kernels/kernel.h"

namespace tracebed::kernels {

class WordCount final : public Kernel {
 public:
  RecordFormat input_format() const override { return line_format; }
  std::unique_ptr<Mapper> mapper() const override;
  std::unique_ptr<Reducer> reducer() const override;
  const Combiner* combiner() const override { return &counts_; }

 private:
  Combiner counts_{1};
};

}  // namespace tracebed::kernels
