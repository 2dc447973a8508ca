// A field of a task's work is carried whole: whoever adds one touches few files.
#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "lint/rules.h"

namespace tracebed::lint {
namespace {

constexpr std::string_view definition = "core/task_work.h";
constexpr std::size_t files_max = 4;

bool is_product(const SourceFile& file) {
  constexpr std::array<std::string_view, 10> rooms = {
      "agents",   "applications", "coordinator", "core",   "daemon",
      "protocol", "report",       "schedulers",  "system", "traces"};
  return std::any_of(rooms.begin(), rooms.end(),
                     [&](std::string_view room) { return is_in(file, room); });
}

bool names(const SourceFile& file, std::string_view identifier) {
  for (std::size_t at = file.code.find(identifier); at != std::string::npos;
       at = file.code.find(identifier, at + 1)) {
    const std::size_t end = at + identifier.size();
    const bool begins = at == 0 || !is_identifier_char(file.code[at - 1]);
    if (begins && (end == file.code.size() || !is_identifier_char(file.code[end]))) return true;
  }
  return false;
}

// The members that `struct TaskWork` has itself, as "TYPE NAME = VALUE;", and their lines.
std::vector<std::pair<std::string, std::size_t>> fields_of(const SourceFile& file) {
  std::vector<std::pair<std::string, std::size_t>> fields;
  const std::size_t begin = file.code.find("struct TaskWork ");
  if (begin == std::string::npos) return fields;
  const std::size_t end = file.code.find("\n};", begin);
  for (std::size_t equals = file.code.find(" = ", begin); equals < end;
       equals = file.code.find(" = ", equals + 1)) {
    std::size_t first = equals;
    while (is_identifier_char(file.code[first - 1])) --first;
    const std::string name = file.code.substr(first, equals - first);
    if (name != "const") fields.emplace_back(name, line_at(file, first));  // a defaulted operator
  }
  return fields;
}

}  // namespace

void check_task_work(std::span<const SourceFile> files, Findings& findings) {
  const auto found = std::find_if(files.begin(), files.end(),
                                  [](const SourceFile& file) { return file.path == definition; });
  if (found == files.end()) return;
  const auto fields = fields_of(*found);
  if (fields.empty()) findings.push_back({found->path, 1, "no field of TaskWork is found here"});
  for (const auto& [name, line] : fields) {
    std::vector<std::string> users;
    for (const SourceFile& file : files) {
      if (is_product(file) && names(file, name)) users.push_back(file.path);
    }
    if (users.size() <= files_max) continue;
    std::string message = name + " stands in " + std::to_string(users.size()) + " files, at most " +
                          std::to_string(files_max) + " may name it:";
    constexpr std::size_t shown_max = 8;
    for (std::size_t i = 0; i < std::min(users.size(), shown_max); ++i) message += " " + users[i];
    findings.push_back({found->path, line, message});
  }
}

}  // namespace tracebed::lint
