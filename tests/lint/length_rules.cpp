#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "lint/rules.h"

namespace tracebed::lint {
namespace {

constexpr std::size_t product_file_max = 400;
constexpr std::size_t test_file_max = 450;
constexpr std::size_t product_function_max = 70;
// A test reads as a story: what it sets up, what happens, what must hold.
constexpr std::size_t test_function_max = 120;

// What is longer, and how long it may be at most. An entry that nothing needs any more is a
// finding, so that what was mended stays so.
struct KnownLong {
  std::string_view what;  // a file, or a file and a function's name with a colon between them
  std::size_t lines;
  std::string_view reason;
};
constexpr std::array<KnownLong, 6> known_long = {{
    {"traces/csv/alibaba_reader.cpp", 407, "to be split: rows are joined, jobs are made"},
    {"coordinator/storage/namespace_tree.cpp", 416, "to be split: changes, and walks"},
    {"coordinator/recorded/log_facts.cpp:LogFacts::show_arrival", 104, "one case for each arrival"},
    {"schedulers/yarn/fair/fair_settings.cpp:fair_setting_descriptions", 111, "a table"},
    {"coordinator/namenode_server/namenode_methods.cpp:NamenodeMethods::begin", 125,
     "one case for each method"},
    {"traces/trace_formats.cpp:make_formats", 99, "a table"},
}};

const KnownLong* find_known(std::string_view what) {
  const auto* const found =
      std::find_if(known_long.begin(), known_long.end(),
                   [&](const KnownLong& known) { return known.what == what; });
  return found == known_long.end() ? nullptr : found;
}

bool is_test(const SourceFile& file) {
  return is_in(file, "tests");
}

// `what` has so many lines, which should be `limit` at most.
void check_length(const SourceFile& file, std::size_t line, std::size_t lines, std::size_t limit,
                  const std::string& what, std::string_view kind, Findings& findings) {
  const KnownLong* const known = find_known(what);
  const std::size_t most = known == nullptr ? limit : known->lines;
  if (lines > most) {
    findings.push_back({file.path, line,
                        std::string(kind) + " of " + std::to_string(lines) + " lines, at most " +
                            std::to_string(most) + "; split it"});
  } else if (known != nullptr && lines <= limit) {
    findings.push_back({file.path, line, what + " is not long any more; take it out of the list"});
  }
}

// ---- functions ----

// What stands before a block, from the declaration on: without preprocessor lines, labels of access
// and leading blanks.
std::string_view declaration_of(std::string_view head) {
  while (true) {
    head.remove_prefix(std::min(head.find_first_not_of(" \n"), head.size()));
    const bool is_label = head.starts_with("public:") || head.starts_with("protected:") ||
                          head.starts_with("private:");
    if (!head.starts_with('#') && !is_label) return head;
    head.remove_prefix(std::min(head.find('\n'), head.size()));
  }
}

std::string_view without_template(std::string_view head) {
  if (!head.starts_with("template")) return head;
  std::size_t depth = 0;
  for (std::size_t at = 0; at < head.size(); ++at) {
    if (head[at] == '<') ++depth;
    if (head[at] == '>' && --depth == 0) return declaration_of(head.substr(at + 1));
  }
  return head;
}

enum class Block { scope, function, other };
Block kind_of(std::string_view head) {
  for (std::string_view word : {"namespace", "class", "struct", "union", "extern", "enum"}) {
    if (without_template(head).starts_with(word)) return Block::scope;
  }
  const std::size_t parenthesis = head.find('(');
  if (parenthesis == std::string_view::npos) return Block::other;
  const std::size_t assigned = head.find(" = ");
  return assigned < parenthesis ? Block::other : Block::function;
}

std::string function_name(std::string_view head) {
  const std::size_t end = head.find('(');
  std::size_t begin = end;
  while (begin > 0 && (is_identifier_char(head[begin - 1]) || head[begin - 1] == ':' ||
                       head[begin - 1] == '~')) {
    --begin;
  }
  return std::string(head.substr(begin, end - begin));
}

std::size_t end_of_block(std::string_view code, std::size_t open) {
  std::size_t depth = 0;
  for (std::size_t at = open; at < code.size(); ++at) {
    if (code[at] == '{') ++depth;
    if (code[at] == '}' && --depth == 0) return at;
  }
  return code.size() - 1;
}

void check_functions(const SourceFile& file, Findings& findings) {
  const std::string_view code = file.code;
  const std::size_t limit = is_test(file) ? test_function_max : product_function_max;
  std::size_t begin = 0;  // of what stands before the next block
  for (std::size_t at = 0; at < code.size(); ++at) {
    if (code[at] == ';' || code[at] == '}') begin = at + 1;
    if (code[at] != '{') continue;
    const std::string_view head = declaration_of(code.substr(begin, at - begin));
    const Block kind = kind_of(head);
    if (kind != Block::scope) {
      const std::size_t end = end_of_block(code, at);
      if (kind == Block::function) {
        const std::size_t first = line_at(file, at - head.size());
        check_length(file, first, line_at(file, end) - first + 1, limit,
                     file.path + ":" + function_name(head), "a function", findings);
      }
      at = end;
    }
    begin = at + 1;
  }
}

}  // namespace

void check_lengths(const SourceFile& file, Findings& findings) {
  if (!is_cpp(file)) return;
  const auto lines = static_cast<std::size_t>(std::count(file.text.begin(), file.text.end(), '\n'));
  check_length(file, lines, lines, is_test(file) ? test_file_max : product_file_max, file.path,
               "a file", findings);
  check_functions(file, findings);
}

}  // namespace tracebed::lint
