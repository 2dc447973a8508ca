#include "kernels/grep.h"

#include "kernels/decimal.h"

namespace tracebed::kernels {
namespace {

class GrepMapper final : public Mapper {
 public:
  explicit GrepMapper(std::string_view pattern) : pattern_(pattern) {}

  Status map(const InputRecord& record, MapOutputBuffer& output) override {
    if (text_of(record.bytes).find(pattern_) == std::string_view::npos) return success();
    const std::uint64_t key = swap_bytes(record.offset);
    return output.emit(std::as_bytes(std::span(&key, 1)), record.bytes);
  }

 private:
  std::string_view pattern_;
};

class GrepReducer final : public Reducer {
 public:
  Status reduce(Bytes key, Bytes line, Buffer& output) override {
    if (key.size() != sizeof(std::uint64_t)) {
      return Error{"grep: a key of " + std::to_string(key.size()) + " bytes instead of 8"};
    }
    append_decimal(output, swap_bytes(load<std::uint64_t>(key.data())));
    output.push_back(std::byte{'\t'});
    append(output, line);
    output.push_back(std::byte{'\n'});
    return success();
  }
};

}  // namespace

Result<std::unique_ptr<Kernel>> Grep::parse(Bytes state) {
  const std::string_view pattern = text_of(state);
  if (pattern.empty() || pattern.size() > pattern_bytes_max ||
      pattern.find('\n') != std::string_view::npos) {
    return Error{"grep: the text to find has 1 to " + std::to_string(pattern_bytes_max) +
                 " bytes and is within a line"};
  }
  return std::unique_ptr<Kernel>(new Grep(pattern));
}

std::unique_ptr<Mapper> Grep::mapper() const {
  return std::make_unique<GrepMapper>(pattern_);
}

std::unique_ptr<Reducer> Grep::reducer() const {
  return std::make_unique<GrepReducer>();
}

}  // namespace tracebed::kernels
