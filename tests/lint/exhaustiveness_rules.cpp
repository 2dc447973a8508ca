#include <regex>
#include <string>

#include "lint/rules.h"

namespace tracebed::lint {
namespace {

// Of an `if` that asks a variant for one of its alternatives: the variant, as it is written.
const std::regex& question() {
  static const std::regex expression{
      R"((else )?\bif \([^;{]*?std::(?:get_if|holds_alternative)<[^>]*>\(&?\*?([\w.>-]+)\))"};
  return expression;
}

void check_chains(const SourceFile& file, Findings& findings) {
  constexpr std::size_t lines_near = 6;
  std::string previous;
  std::size_t previous_line = 0;
  const std::string& code = file.code;
  for (std::sregex_iterator at(code.begin(), code.end(), question()), end; at != end; ++at) {
    const std::size_t line = line_at(file, static_cast<std::size_t>(at->position(2)));
    const bool is_near = (*at)[2] == previous && line <= previous_line + lines_near;
    if ((*at)[1].matched || is_near) {
      findings.push_back({file.path, line,
                          "a chain of questions for a variant's alternatives forgets new ones; use "
                          "visit_all (core/visit.h)"});
    }
    previous = (*at)[2];
    previous_line = line;
  }
}

// Constants of enumerations are qualified, or are characters and numbers else.
void check_defaults(const SourceFile& file, Findings& findings) {
  const std::string& code = file.code;
  for (std::size_t at = code.find("default:"); at != std::string::npos;
       at = code.find("default:", at + 1)) {
    const std::size_t label = code.rfind("case ", at);
    if (label == std::string::npos) continue;
    const std::string name = code.substr(label, code.find('\n', label) - label);
    if (name.find("::") == std::string::npos) continue;
    findings.push_back({file.path, line_at(file, at),
                        "a default hides constants that are added to the enumeration; name those "
                        "that share it"});
  }
}

}  // namespace

void check_exhaustiveness(const SourceFile& file, Findings& findings) {
  if (!is_cpp(file) || is_in(file, "tests")) return;
  check_chains(file, findings);
  check_defaults(file, findings);
}

}  // namespace tracebed::lint
