#include "kernels/terasort.h"

#include <string>
#include <vector>

namespace tracebed::kernels {
namespace {

class TerasortMapper final : public Mapper {
 public:
  Status map(const InputRecord& record, MapOutputBuffer& output) override {
    return output.emit(record.bytes.first(terasort_key_bytes),
                       record.bytes.subspan(terasort_key_bytes));
  }
};

class TerasortReducer final : public Reducer {
 public:
  Status reduce(Bytes key, Bytes value, Buffer& output) override {
    if (key.size() != terasort_key_bytes || key.size() + value.size() != terasort_record_bytes) {
      return Error{"terasort: a record of " + std::to_string(key.size()) + " and " +
                   std::to_string(value.size()) + " bytes instead of 10 and 90"};
    }
    append(output, key);
    append(output, value);
    return success();
  }
};

}  // namespace

RangePartitioner Terasort::sample(Bytes records, std::uint32_t partitions) {
  std::vector<Buffer> keys;
  for (; records.size() >= terasort_record_bytes;
       records = records.subspan(terasort_record_bytes)) {
    keys.emplace_back(records.begin(), records.begin() + terasort_key_bytes);
  }
  return RangePartitioner::from_sample(std::move(keys), partitions);
}

std::unique_ptr<Mapper> Terasort::mapper() const {
  return std::make_unique<TerasortMapper>();
}

std::unique_ptr<Reducer> Terasort::reducer() const {
  return std::make_unique<TerasortReducer>();
}

}  // namespace tracebed::kernels
