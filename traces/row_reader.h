// A reader of a format that has one job in a row: what it says of the rows it was made from.
#pragma once

#include "traces/parts/trace_reader.h"
#include "traces/parts/trace_rows.h"

namespace tracebed {

class RowReader : public TraceReader {
 public:
  std::string_view format() const final { return rows().format(); }
  const BadRows& bad_rows() const final { return rows().bad_rows(); }
  std::string_view compression() const final { return rows().lines().compression(); }
  std::uint64_t text_bytes() const final { return rows().lines().text_bytes(); }
  std::int64_t first_submit_microseconds() const final {
    return rows().first_submit_microseconds();
  }
  std::int64_t last_submit_microseconds() const final { return rows().last_submit_microseconds(); }

 private:
  virtual const TraceRows& rows() const = 0;
};

}  // namespace tracebed
