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

  // Looks at a document, and keeps a record for every job in it. What is wrong with it was
  // reported.
  virtual void collect_document(const JsonFields& fields) = 0;
  const JsonDocuments& documents() const { return documents_; }

 private:
  JsonDocuments documents_;
};

// Every document is read once to be checked and measured, kept as text in the order of its submit
// time, and read again when its jobs are wanted.
class JobDocumentReader : public JsonReader {
 protected:
  using JsonReader::JsonReader;

  bool make(std::string_view record, Job& job) final;
  // Makes the document's job number `part`.
  virtual bool make_job(const JsonFields& fields, std::uint32_t part, Job& job) = 0;
  // Of the document at hand.
  void keep_document(std::int64_t submit, std::uint32_t part = 0);

 private:
  // What stands before the text in a record.
  struct Head {
    std::uint64_t line = 0;
    std::uint64_t offset = 0;
    std::uint32_t part = 0;
  };

  simdjson::dom::parser parser_;
};

}  // namespace tracebed
