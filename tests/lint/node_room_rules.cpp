// Room on a node is compared by the cluster or a FreeTable alone: `demand.fits_in(node.free)`
// forgets that a dimension may not be limited, or that it may be devices, and then decides what the
// engine does not.
#include <algorithm>
#include <array>
#include <string_view>

#include "lint/rules.h"

namespace tracebed::lint {
namespace {

bool is_looked_at(const SourceFile& file) {
  constexpr std::array<std::string_view, 3> rooms = {"core", "coordinator", "schedulers"};
  constexpr std::array<std::string_view, 3> others = {
      "core/limited_dimensions.h",           // which this is about
      "schedulers/parts/ranked_nodes.h",     // which leaves nodes out, and does not choose one
      "coordinator/real/local_cluster.cpp",  // whether machines fit on this one
  };
  return is_cpp(file) && std::find(others.begin(), others.end(), file.path) == others.end() &&
         std::any_of(rooms.begin(), rooms.end(),
                     [&](std::string_view room) { return is_in(file, room); });
}

// What stands between the parenthesis before `begin` and the one that closes it.
std::string_view arguments_at(std::string_view code, std::size_t begin) {
  int depth = 1;
  std::size_t end = begin;
  for (; end < code.size() && depth > 0; ++end) {
    depth += code[end] == '(' ? 1 : code[end] == ')' ? -1 : 0;
  }
  return code.substr(begin, end - begin - (depth == 0 ? 1 : 0));
}

}  // namespace

void check_node_room(const SourceFile& file, Findings& findings) {
  if (!is_looked_at(file)) return;
  for (const std::string_view call : {".fits_in(", ".count_in("}) {
    for (std::size_t at = file.code.find(call); at != std::string::npos;
         at = file.code.find(call, at + 1)) {
      const std::string_view arguments = arguments_at(file.code, at + call.size());
      const bool is_of_node = arguments.find(".free") != std::string_view::npos ||
                              arguments.find("free(") != std::string_view::npos ||
                              arguments.find(".capacity") != std::string_view::npos ||
                              arguments.find(">capacity") != std::string_view::npos;
      if (!is_of_node) continue;
      findings.push_back(
          {file.path, line_at(file, at),
           "ask has_room or could_hold of the cluster, or of a FreeTable, which know "
           "which dimensions limit and which are devices"});
    }
  }
}

}  // namespace tracebed::lint
