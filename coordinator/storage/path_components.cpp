#include "coordinator/storage/path_components.h"

#include <string>

namespace tracebed {
namespace {

StorageFailure invalid(std::string_view path, std::string_view reason) {
  constexpr std::size_t shown_max = 200;
  return {
      StorageFailureKind::invalid_path,
      "Invalid path name " + std::string(path.substr(0, shown_max)) + ": " + std::string(reason)};
}

}  // namespace

StorageResult<std::vector<std::string_view>> components_of(std::string_view path) {
  if (path.empty() || path.front() != '/') return invalid(path, "expected an absolute path");
  if (path.size() > path_bytes_max) {
    return invalid(path, "expected at most " + std::to_string(path_bytes_max) + " bytes, got " +
                             std::to_string(path.size()));
  }
  std::vector<std::string_view> components;
  constexpr std::size_t usual_depth = 8;
  components.reserve(usual_depth);
  std::size_t at = 1;
  while (at < path.size()) {
    const std::size_t end = std::min(path.find('/', at), path.size());
    const std::string_view name = path.substr(at, end - at);
    if (name.empty()) return invalid(path, "expected a name between two slashes");
    if (name == "." || name == "..") return invalid(path, "expected no . and no ..");
    if (name.find_first_of(std::string_view(":\0", 2)) != std::string_view::npos) {
      return invalid(path, "expected no colon and no zero byte");
    }
    if (name.size() > component_bytes_max) {
      return StorageFailure{StorageFailureKind::path_component_too_long,
                            "The maximum path component name limit is exceeded: limit=" +
                                std::to_string(component_bytes_max) +
                                " length=" + std::to_string(name.size())};
    }
    if (components.size() == path_depth_max) {
      return invalid(path, "expected at most " + std::to_string(path_depth_max) + " levels");
    }
    components.push_back(name);
    at = end + 1;
  }
  return components;
}

bool is_same_or_below(std::string_view path, std::string_view below) {
  const auto trimmed = [](std::string_view text) {
    return text.ends_with('/') ? text.substr(0, text.size() - 1) : text;
  };
  path = trimmed(path);
  below = trimmed(below);
  return below.starts_with(path) && (below.size() == path.size() || below[path.size()] == '/');
}

}  // namespace tracebed
