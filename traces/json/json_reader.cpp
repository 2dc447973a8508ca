#include "traces/json/json_reader.h"

#include <cstring>
#include <fmt/format.h>

#include "core/check.h"

namespace tracebed {

JsonReader::JsonReader(std::string_view format, JsonDocuments documents,
                       const TraceOptions& options, Names& names)
    : CollectedReader(format, documents.name(), options, names), documents_(std::move(documents)) {}

void JsonReader::collect() {
  while (documents_.next(bad())) {
    const JsonPlace place{bad(), documents_.line(), documents_.place()};
    simdjson::dom::object object;
    if (documents_.root().get_object().get(object) != simdjson::SUCCESS) {
      bad().add(BadRow::not_json, place.line, place.place, "an object",
                shown_json(documents_.root()));
      continue;
    }
    collect_document(JsonFields(object, place));
  }
}

void JobDocumentReader::keep_document(std::int64_t submit, std::uint32_t part) {
  const Head head{documents().line(), documents().offset(), part};
  std::string record(reinterpret_cast<const char*>(&head), sizeof(head));
  record.append(documents().text());
  keep(submit, record);
}

bool JobDocumentReader::make(std::string_view record, Job& job) {
  Head head;
  std::memcpy(&head, record.data(), sizeof(head));
  record.remove_prefix(sizeof(head));
  const auto parsed = parser_.parse(record.data(), record.size(), true);
  TRACEBED_CHECK(parsed.error() == simdjson::SUCCESS, "a document that was kept is JSON");
  const JsonPlace place{bad(), head.line, fmt::format("document at byte {}", head.offset)};
  return make_job(JsonFields(parsed.value_unsafe().get_object().value_unsafe(), place), head.part,
                  job);
}

}  // namespace tracebed
