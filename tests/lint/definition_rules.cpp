#include <algorithm>
#include <map>
#include <regex>
#include <string>
#include <string_view>
#include <vector>

#include "lint/rules.h"

namespace tracebed::lint {
namespace {

// The namespaces that are open at `position`, joined. Anonymous ones are headers' in no case.
std::string namespace_at(const std::string& code, std::size_t position) {
  static const std::regex scope{R"((?:^|\n)namespace ([\w:]+) \{|(?:^|\n)(\}))"};
  std::vector<std::string> open;
  const auto end = code.begin() + static_cast<std::ptrdiff_t>(position);
  for (std::sregex_iterator at(code.begin(), end, scope), none; at != none; ++at) {
    if ((*at)[1].matched) {
      open.push_back((*at)[1].str());
    } else if (code.compare(static_cast<std::size_t>(at->position(2)), 3, "}  ") == 0 &&
               !open.empty()) {
      open.pop_back();  // a namespace's end stands before its comment; a function's does not
    }
  }
  std::string joined;
  for (const std::string& name : open) joined += name + "::";
  return joined;
}

// The types of "const A& a, B b = {}" without names and defaults, which overloads do not differ in.
std::string types_of(const std::string& parameters) {
  static const std::regex blanks{R"(\s+)"};
  static const std::regex default_value{R"(\s*=[^,]*)"};
  static const std::regex last_name{R"(([\w>&*\]])\s+[a-z]\w*\s*(?=,|$))"};
  const std::string plain = std::regex_replace(parameters, blanks, " ");
  return std::regex_replace(std::regex_replace(plain, default_value, ""), last_name, "$1");
}

}  // namespace

void check_definitions(std::span<const SourceFile> files, Findings& findings) {
  // At the begin of a line, as members are not.
  static const std::regex function{
      R"((?:^|\n)(?:inline|constexpr)\s[^;={}()]*?(\w+)\(([^(){};]*)\)[^;{}]*\{)"};
  static const std::regex type{R"((?:^|\n)(?:struct|class|enum class) (\w+)(?!\w|::)[^;(){}]*\{)"};
  std::map<std::string, std::string> first_places;
  const auto note = [&](const SourceFile& file, std::size_t position, const std::string& what) {
    const auto [place, is_new] = first_places.emplace(what, file.path);
    if (is_new || place->second == file.path) return;
    findings.push_back(
        {file.path, line_at(file, position), what + " is defined in " + place->second + ", too"});
  };
  for (const SourceFile& file : files) {
    if (!is_header(file)) continue;
    const std::string& code = file.code;
    for (std::sregex_iterator at(code.begin(), code.end(), function), end; at != end; ++at) {
      const auto position = static_cast<std::size_t>(at->position(1));
      note(file, position,
           namespace_at(code, position) + (*at)[1].str() + "(" + types_of((*at)[2].str()) + ")");
    }
    for (std::sregex_iterator at(code.begin(), code.end(), type), end; at != end; ++at) {
      const auto position = static_cast<std::size_t>(at->position(1));
      note(file, position, namespace_at(code, position) + (*at)[1].str());
    }
  }
}

}  // namespace tracebed::lint
