// What readers of JSON traces share.
#pragma once

#include <string_view>

#include "traces/json/json_documents.h"
#include "traces/json/json_fields.h"
#include "traces/parts/collected_reader.h"

namespace tracebed {

class JsonReader : public CollectedReader {
 public:
  std::string_view compression() const final { return documents_.compression(); }
  std::uint64_t text_bytes() const final { return documents_.text_bytes(); }

 protected:
  JsonReader(std::string_view format, JsonDocuments documents, const TraceOptions& options,
             Names& names);

  void collect() final;

  // Reads a document, and keeps a record for every job in it; an invalid one is reported and leaves
  // none.
  virtual void collect_document(const JsonFields& fields) = 0;

 private:
  JsonDocuments documents_;
};

}  // namespace tracebed
