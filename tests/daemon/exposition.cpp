#include "daemon/exposition.h"

// With its sanitizers GCC 12 sees uninitialised memory in this header (its bug 105562).
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

#include <cstdlib>
#include <regex>
#include <set>
#include <sstream>

namespace tracebed::test {
namespace {

// name{label="value",...} number, with no more than one blank and no time stamp.
const std::string label = R"re([a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\[\\"n])*")re";
const std::regex sample_form("^([a-zA-Z_:][a-zA-Z0-9_:]*)(\\{" + label + "(?:," + label +
                             ")*\\})? (\\S+)$");
const std::regex comment_form(R"re(^# (HELP|TYPE) ([a-zA-Z_:][a-zA-Z0-9_:]*) (.+)$)re");

}  // namespace

Exposition read_exposition(const std::string& text) {
  Exposition read;
  const auto fault = [&](const std::string& line, const std::string& what) {
    read.faults.push_back(what + ": " + line);
  };
  if (text.empty() || text.back() != '\n') fault(text, "the last line has no end");
  std::set<std::string> helped;
  std::map<std::string, std::string> types;
  std::set<std::string> closed;  // families whose samples are over
  std::string family;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::smatch parts;
    if (std::regex_match(line, parts, comment_form)) {
      const std::string name = parts[2];
      if (parts[1] == "HELP" && !helped.insert(name).second) fault(line, "a second HELP");
      if (parts[1] == "TYPE" && !types.emplace(name, parts[3]).second) fault(line, "a second TYPE");
      if (name != family) closed.insert(family);
      if (closed.contains(name)) fault(line, "samples of a family stand apart");
      family = name;
    } else if (std::regex_match(line, parts, sample_form)) {
      const std::string name = parts[1];
      if (name != family) fault(line, "a sample outside of its family");
      if (!helped.contains(name)) fault(line, "no help");
      if (!types.contains(name)) fault(line, "no type");
      const bool is_counter = types[name] == "counter";
      if (is_counter != name.ends_with("_total")) fault(line, "counters alone end in _total");
      char* end = nullptr;
      const std::string number = parts[3];
      const double value = std::strtod(number.c_str(), &end);
      if (*end != 0) fault(line, "no number");
      if (!read.samples.emplace(name + parts[2].str(), value).second)
        fault(line, "a second sample");
    } else {
      fault(line, "neither a comment nor a sample");
    }
  }
  return read;
}

}  // namespace tracebed::test
