#include "kernels/word_count.h"

#include <algorithm>

#include "kernels/decimal.h"

namespace tracebed::kernels {
namespace {

constexpr auto is_separator = [](std::byte byte) {
  const auto character = static_cast<char>(byte);
  return character == ' ' || (character >= '\t' && character <= '\r' && character != '\v');
};

class WordCountMapper final : public Mapper {
 public:
  Status map(const InputRecord& record, MapOutputBuffer& output) override {
    constexpr std::uint64_t one = 1;
    const Bytes count = std::as_bytes(std::span(&one, 1));
    const auto end = record.bytes.end();
    for (auto begin = record.bytes.begin(); begin != end;) {
      if (is_separator(*begin)) {
        ++begin;
        continue;
      }
      const auto word_end = std::find_if(begin, end, is_separator);
      const Bytes word(&*begin, static_cast<std::size_t>(word_end - begin));
      if (Status emitted = output.emit(word, count); !emitted) return emitted;
      begin = word_end;
    }
    return success();
  }
};

class WordCountReducer final : public Reducer {
 public:
  Status reduce(Bytes word, Bytes count, Buffer& output) override {
    append(output, word);
    output.push_back(std::byte{'\t'});
    append_decimal(output, load<std::uint64_t>(count.data()));
    output.push_back(std::byte{'\n'});
    return success();
  }
};

}  // namespace

std::unique_ptr<Mapper> WordCount::mapper() const {
  return std::make_unique<WordCountMapper>();
}

std::unique_ptr<Reducer> WordCount::reducer() const {
  return std::make_unique<WordCountReducer>();
}

}  // namespace tracebed::kernels
