#include "traces/json/json_reader.h"

namespace tracebed {

JsonReader::JsonReader(std::string_view format, JsonDocuments documents,
                       const TraceOptions& options, Names& names)
    : CollectedReader(format, documents.name(), options, names), documents_(std::move(documents)) {}

void JsonReader::collect() {
  JsonPlace place{bad()};
  if (tally() != nullptr) place.ignored = &ignored_fields();
  while (documents_.next(bad())) {
    place.line = documents_.line();
    place.place = documents_.place();
    place.digits.clear();
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
