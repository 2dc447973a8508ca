#include "traces/histories/avro_schema.h"

#include <array>
#include <map>
#include <optional>
#include <simdjson.h>
#include <utility>

namespace tracebed {
namespace {

namespace dom = simdjson::dom;

constexpr std::size_t types_max = 10'000;
constexpr std::size_t depth_max = 64;
constexpr std::uint64_t fixed_bytes_max = 1 << 20;

std::optional<AvroKind> primitive(std::string_view name) {
  static constexpr std::array<std::pair<std::string_view, AvroKind>, 8> kinds = {{
      {"null", AvroKind::null_value},
      {"boolean", AvroKind::boolean},
      {"int", AvroKind::whole},
      {"long", AvroKind::whole},
      {"float", AvroKind::float_value},
      {"double", AvroKind::double_value},
      {"bytes", AvroKind::text},
      {"string", AvroKind::text},
  }};
  for (const auto& [word, kind] : kinds) {
    if (word == name) return kind;
  }
  return std::nullopt;
}

class SchemaReader {
 public:
  Result<AvroSchema> read(std::string_view json) {
    dom::parser parser;
    dom::element root;
    if (parser.parse(json.data(), json.size()).get(root)) return Error{"no JSON"};
    schema_.root = read_type(root, "", 0);
    if (!problem_.empty()) return Error{problem_};
    return std::move(schema_);
  }

 private:
  std::size_t bad(std::string what) {
    if (problem_.empty()) problem_ = std::move(what);
    return 0;
  }
  std::size_t add(AvroKind kind, std::string name) {
    schema_.types.emplace_back().kind = kind;
    schema_.types.back().name = std::move(name);
    return schema_.types.size() - 1;
  }

  // `space` is the namespace that names without one belong to.
  std::size_t read_type(dom::element type, const std::string& space, std::size_t depth) {
    if (depth > depth_max) return bad("one nested more than 64 deep");
    if (schema_.types.size() >= types_max) return bad("one of more than 10,000 types");
    if (!problem_.empty()) return 0;
    std::string_view name;
    if (type.get_string().get(name) == simdjson::SUCCESS) return named(name, space);
    dom::array branches;
    if (type.get_array().get(branches) == simdjson::SUCCESS) {
      const std::size_t at = add(AvroKind::any_of, "");
      for (dom::element branch : branches) part(at, branch, space, depth);
      return at;
    }
    dom::object object;
    if (type.get_object().get(object) != simdjson::SUCCESS) return bad("a type that is none");
    dom::element kind;
    if (object["type"].get(kind) != simdjson::SUCCESS) return bad("a type without a kind");
    // {"type": {…}}, or {"type": "string"} with properties of the writer's language.
    if (kind.get_string().get(name) != simdjson::SUCCESS) return read_type(kind, space, depth + 1);
    return read_declared(name, object, space, depth);
  }

  std::size_t named(std::string_view name, const std::string& space) {
    if (const auto kind = primitive(name)) return add(*kind, std::string(name));
    const auto found = named_.find(full_name(name, space));
    if (found == named_.end()) return bad("the unknown type " + std::string(name));
    return found->second;
  }

  static std::string full_name(std::string_view name, const std::string& space) {
    const bool is_full = name.find('.') != std::string_view::npos || space.empty();
    return is_full ? std::string(name) : space + "." + std::string(name);
  }

  void part(std::size_t of, dom::element type, const std::string& space, std::size_t depth) {
    const std::size_t at = read_type(type, space, depth + 1);
    schema_.types[of].parts.push_back(at);
  }

  std::size_t read_declared(std::string_view kind, dom::object object, const std::string& space,
                            std::size_t depth) {
    if (primitive(kind)) return named(kind, space);
    if (kind == "array" || kind == "map") {
      const bool is_array = kind == "array";
      const std::size_t at = add(is_array ? AvroKind::array : AvroKind::map, std::string(kind));
      dom::element item;
      if (object[is_array ? "items" : "values"].get(item)) return bad("a list of nothing");
      part(at, item, space, depth);
      return at;
    }
    if (kind != "record" && kind != "error" && kind != "enum" && kind != "fixed") {
      return named(kind, space);
    }
    std::string_view name;
    if (object["name"].get_string().get(name)) return bad("a " + std::string(kind) + " of no name");
    std::string own_space = space;
    if (std::string_view given; !object["namespace"].get_string().get(given)) own_space = given;
    const std::string full = full_name(name, own_space);
    own_space = full.substr(0, full.rfind('.') == std::string::npos ? 0 : full.rfind('.'));
    const std::size_t at = add(AvroKind::record, full);
    named_[full] = at;  // before its fields, which may be of it
    if (kind == "enum") return read_enumeration(at, object);
    if (kind == "fixed") return read_fixed(at, object);
    return read_record(at, object, own_space, depth);
  }

  std::size_t read_enumeration(std::size_t at, dom::object object) {
    schema_.types[at].kind = AvroKind::enumeration;
    dom::array symbols;
    if (object["symbols"].get_array().get(symbols)) return bad("an enum of no symbols");
    for (dom::element symbol : symbols) {
      std::string_view word;
      if (symbol.get_string().get(word)) return bad("a symbol that is no text");
      schema_.types[at].words.emplace_back(word);
    }
    return at;
  }

  std::size_t read_fixed(std::size_t at, dom::object object) {
    schema_.types[at].kind = AvroKind::fixed;
    std::uint64_t size = 0;
    if (object["size"].get_uint64().get(size) || size > fixed_bytes_max) {
      return bad("a fixed type of no size up to 1 MiB");
    }
    schema_.types[at].size = size;
    return at;
  }

  std::size_t read_record(std::size_t at, dom::object object, const std::string& space,
                          std::size_t depth) {
    dom::array fields;
    if (object["fields"].get_array().get(fields)) return bad("a record without fields");
    for (dom::element field : fields) {
      std::string_view name;
      dom::element type;
      if (field["name"].get_string().get(name) || field["type"].get(type)) {
        return bad("a field without a name or a type");
      }
      schema_.types[at].words.emplace_back(name);
      part(at, type, space, depth);
    }
    return at;
  }

  AvroSchema schema_;
  std::map<std::string, std::size_t> named_;
  std::string problem_;
};

}  // namespace

Result<AvroSchema> parse_avro_schema(std::string_view json) {
  return SchemaReader().read(json);
}

}  // namespace tracebed
