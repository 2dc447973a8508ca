// Jobs of every kind, whole, in Tracebed's own binary trace.
#pragma once

#include <cstdint>
#include <string>

#include "traces/binary/binary_writer.h"
#include "traces/convert/job_writer.h"

namespace tracebed {

class BinaryJobWriter final : public JobWriter {
 public:
  // As BinaryTraceWriter's.
  BinaryJobWriter(const std::string& path, const TraceOrigin& origin, const Names& names)
      : file_(path, origin, names) {}

  BinaryTraceWriter& file() { return file_; }
  bool add(const Job& job) override {
    file_.add(job);
    return true;
  }
  void finish() override { file_.finish(); }
  std::uint64_t bytes() const override { return file_.bytes(); }

 private:
  BinaryTraceWriter file_;
};

}  // namespace tracebed
