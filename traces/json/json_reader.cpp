#include "traces/json/json_reader.h"

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

}  // namespace tracebed
