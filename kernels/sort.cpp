#include "kernels/sort.h"

#include <algorithm>
#include <vector>

namespace tracebed::kernels {
namespace {

class SortMapper final : public Mapper {
 public:
  Status map(const InputRecord& record, MapOutputBuffer& output) override {
    return output.emit(record.bytes, {});
  }
};

class SortReducer final : public Reducer {
 public:
  Status reduce(Bytes line, Bytes, Buffer& output) override {
    append(output, line);
    output.push_back(std::byte{'\n'});
    return success();
  }
};

}  // namespace

RangePartitioner Sort::sample(Bytes text, std::uint32_t partitions) {
  std::vector<Buffer> lines;
  constexpr std::byte line_end{'\n'};
  auto begin = std::find(text.begin(), text.end(), line_end);
  while (begin != text.end()) {
    ++begin;
    const auto end = std::find(begin, text.end(), line_end);
    if (end != text.end()) lines.emplace_back(begin, end);
    begin = end;
  }
  return RangePartitioner::from_sample(std::move(lines), partitions);
}

std::unique_ptr<Mapper> Sort::mapper() const {
  return std::make_unique<SortMapper>();
}

std::unique_ptr<Reducer> Sort::reducer() const {
  return std::make_unique<SortReducer>();
}

}  // namespace tracebed::kernels
