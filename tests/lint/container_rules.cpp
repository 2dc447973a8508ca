#include <map>
#include <set>
#include <string>
#include <string_view>

#include "lint/architecture.h"
#include "lint/rules.h"

namespace tracebed::lint {
namespace {

// The end of the template argument list that opens at `open`, behind its '>'.
std::size_t end_of_arguments(std::string_view code, std::size_t open) {
  int depth = 0;
  for (std::size_t at = open; at < code.size(); ++at) {
    if (code[at] == '<') ++depth;
    if (code[at] == '>' && --depth == 0) return at + 1;
    if (code[at] == ';') break;
  }
  return std::string_view::npos;
}

std::string_view first_argument(std::string_view arguments) {
  int depth = 0;
  for (std::size_t at = 0; at < arguments.size(); ++at) {
    if (arguments[at] == '<' || arguments[at] == '(') ++depth;
    if (arguments[at] == '>' || arguments[at] == ')') --depth;
    if (arguments[at] == ',' && depth == 0) return arguments.substr(0, at);
  }
  return arguments;
}

template <class Visitor>
void for_each_use(std::string_view code, std::string_view container, Visitor&& visit) {
  const std::string opening = std::string(container) + "<";
  for (std::size_t at = code.find(opening); at != std::string_view::npos;
       at = code.find(opening, at + 1)) {
    if (at > 0 && is_identifier_char(code[at - 1])) continue;
    const std::size_t open = at + container.size();
    const std::size_t end = end_of_arguments(code, open);
    if (end != std::string_view::npos) visit(at, code.substr(open + 1, end - open - 2), end);
  }
}

void check_pointer_order(const SourceFile& file, Findings& findings) {
  for (std::string_view container :
       {"map", "set", "multimap", "multiset", "priority_queue", "less", "greater"}) {
    for_each_use(file.code, container,
                 [&](std::size_t at, std::string_view arguments, std::size_t) {
                   const std::string_view key = first_argument(arguments);
                   if (key.find('*') == std::string_view::npos &&
                       key.find("unique_ptr<") == std::string_view::npos) {
                     return;
                   }
                   findings.push_back({file.path, line_at(file, at),
                                       "ordered by addresses, which differ from run to run; order "
                                       "by id"});
                 });
  }
}

// The identifier declared by a type that ends at `end`, empty if none is.
std::string declared_name(std::string_view code, std::size_t end) {
  while (end < code.size() && (code[end] == ' ' || code[end] == '&' || code[end] == '\n')) ++end;
  std::size_t stop = end;
  while (stop < code.size() && is_identifier_char(code[stop])) ++stop;
  return std::string(code.substr(end, stop - end));
}

std::set<std::string> unordered_names(const SourceFile& file) {
  std::set<std::string> names;
  for (std::string_view container :
       {"unordered_map", "unordered_set", "unordered_multimap", "unordered_multiset"}) {
    for_each_use(file.code, container, [&](std::size_t, std::string_view, std::size_t end) {
      names.insert(declared_name(file.code, end));
    });
  }
  names.erase("");
  return names;
}

void check_iteration(const SourceFile& file, const std::set<std::string>& names,
                     Findings& findings) {
  const std::string_view code = file.code;
  for (const std::string& name : names) {
    for (const std::string& use : {": " + name + ")", name + ".begin()", name + ".cbegin()"}) {
      for (std::size_t at = code.find(use); at != std::string_view::npos;
           at = code.find(use, at + 1)) {
        if (use.front() != ':' && at > 0 && is_identifier_char(code[at - 1])) continue;
        findings.push_back({file.path, line_at(file, at),
                            "iterates over the unordered " + name +
                                ", whose order is that of hashes; use an ordered container"});
      }
    }
  }
}

std::string room_folder(const SourceFile& file) {
  const Room* room = room_of(file.path);
  return room != nullptr && room->pure ? std::string(room->folder) : std::string();
}

}  // namespace

void check_container_order(std::span<const SourceFile> files, Findings& findings) {
  std::map<std::string, std::set<std::string>> names_by_room;
  for (const SourceFile& file : files) {
    if (!is_cpp(file) || room_folder(file).empty()) continue;
    names_by_room[room_folder(file)].merge(unordered_names(file));
  }
  for (const SourceFile& file : files) {
    if (!is_cpp(file) || room_folder(file).empty()) continue;
    check_pointer_order(file, findings);
    check_iteration(file, names_by_room[room_folder(file)], findings);
  }
}

}  // namespace tracebed::lint
