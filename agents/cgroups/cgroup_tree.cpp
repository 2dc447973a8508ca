#include "agents/cgroups/cgroup_tree.h"

#include <algorithm>

namespace tracebed {

std::string_view name(CgroupVersion version) {
  return version == CgroupVersion::v1 ? "cgroup v1" : "cgroup v2";
}

CgroupPath::CgroupPath(std::string_view name, std::string_view file) {
  TRACEBED_CHECK(name.size() + file.size() + 2 <= text_.size(), "a container's name is short");
  char* end = std::copy(name.begin(), name.end(), text_.data());
  if (!file.empty()) {
    *end++ = '/';
    end = std::copy(file.begin(), file.end(), end);
  }
  *end = '\0';
}

Status check_cgroup_name(std::string_view what, std::string_view name) {
  const auto is_plain = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '.' ||
           c == '_' || c == '-';
  };
  if (!name.empty() && name.size() <= 100 && name.front() != '.' &&
      std::all_of(name.begin(), name.end(), is_plain)) {
    return success();
  }
  return Error{std::string(what) + ": expected 1 to 100 of the characters 0-9 A-Z a-z . _ -, not " +
               "starting with a dot, got '" + std::string(name.substr(0, 100)) + "'"};
}

}  // namespace tracebed
