// Distributed grep (Dean and Ghemawat 2004, section 2.3): the map function emits the lines that
// contain a text, the reduce function passes them on. The key is the line's offset in the file.
// Output: the offset in decimal digits, a tab and the line, in the order of offsets within a part.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "kernels/kernel.h"

namespace tracebed::kernels {

class Grep final : public Kernel {
 public:
  static constexpr std::size_t pattern_bytes_max = 1'024;

  // State: the text, of 1 to pattern_bytes_max bytes other than LF.
  static Result<std::unique_ptr<Kernel>> parse(Bytes state);

  RecordFormat input_format() const override { return line_format; }
  std::unique_ptr<Mapper> mapper() const override;
  std::unique_ptr<Reducer> reducer() const override;

 private:
  explicit Grep(std::string_view pattern) : pattern_(pattern) {}

  std::string pattern_;
};

}  // namespace tracebed::kernels
