#include "agents/cgroups/mounts.h"

#include <algorithm>
#include <array>
#include <optional>

namespace tracebed {
namespace {

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(separator), text.size());
    if (end > 0) parts.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

bool is_octal(char c) {
  return c >= '0' && c <= '7';
}

// mountinfo writes blank, tab, newline and backslash as three octal digits.
std::string unescape(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 3 < text.size() && is_octal(text[i + 1]) && is_octal(text[i + 2]) &&
        is_octal(text[i + 3])) {
      plain += static_cast<char>((text[i + 1] - '0') * 64 + (text[i + 2] - '0') * 8 +
                                 (text[i + 3] - '0'));
      i += 3;
    } else {
      plain += text[i];
    }
  }
  return plain;
}

// The controllers that the project uses; other words among a mount's options are not controllers.
constexpr std::array<std::string_view, 5> known_controllers = {"cpu", "cpuacct", "memory", "pids",
                                                               "freezer"};

std::optional<CgroupMount> parse_mount(std::string_view line) {
  const auto fields = split(line, ' ');
  const auto dash = std::find(fields.begin(), fields.end(), "-");
  if (dash - fields.begin() < 6 || fields.end() - dash < 4) return std::nullopt;
  const std::string_view type = dash[1];
  if (type != "cgroup" && type != "cgroup2") return std::nullopt;

  CgroupMount mount;
  mount.unified = type == "cgroup2";
  mount.root = unescape(fields[3]);
  mount.mount_point = unescape(fields[4]);
  if (mount.unified) return mount;
  for (const std::string_view option : split(dash[3], ',')) {
    if (std::find(known_controllers.begin(), known_controllers.end(), option) !=
        known_controllers.end()) {
      mount.controllers.emplace_back(option);
    }
  }
  if (mount.controllers.empty()) return std::nullopt;
  return mount;
}

// The path of this process below the mount, without a leading slash; nullopt if it is outside.
std::optional<std::string> path_below(const CgroupMount& mount, std::string_view path) {
  const std::string_view root = mount.root == "/" ? std::string_view() : mount.root;
  if (path.substr(0, root.size()) != root) return std::nullopt;
  path.remove_prefix(root.size());
  if (path.empty() || path == "/") return std::string();
  if (path.front() != '/' || path.find("/..") != std::string_view::npos) return std::nullopt;
  return std::string(path.substr(1));
}

}  // namespace

std::vector<CgroupMount> parse_cgroup_mounts(std::string_view mountinfo) {
  std::vector<CgroupMount> mounts;
  for (const std::string_view line : split(mountinfo, '\n')) {
    std::optional<CgroupMount> mount = parse_mount(line);
    if (!mount) continue;
    std::erase_if(mounts, [&](const auto& m) { return m.mount_point == mount->mount_point; });
    mounts.push_back(*std::move(mount));
  }
  return mounts;
}

std::vector<CgroupMembership> parse_cgroup_memberships(std::string_view self_cgroup) {
  std::vector<CgroupMembership> memberships;
  for (const std::string_view line : split(self_cgroup, '\n')) {
    const std::size_t first = line.find(':');
    if (first == std::string_view::npos) continue;
    const std::size_t second = line.find(':', first + 1);
    if (second == std::string_view::npos) continue;
    CgroupMembership membership;
    for (const auto name : split(line.substr(first + 1, second - first - 1), ',')) {
      membership.controllers.emplace_back(name);
    }
    membership.path = line.substr(second + 1);
    memberships.push_back(std::move(membership));
  }
  return memberships;
}

std::vector<std::string> own_and_ancestors(const CgroupMount& mount,
                                           const std::vector<CgroupMembership>& memberships) {
  const auto own = std::find_if(memberships.begin(), memberships.end(), [&](const auto& m) {
    if (mount.unified) return m.controllers.empty();
    return std::find(m.controllers.begin(), m.controllers.end(), mount.controllers.front()) !=
           m.controllers.end();
  });
  std::vector<std::string> directories;
  if (own != memberships.end()) {
    std::string below = path_below(mount, own->path).value_or("");
    while (!below.empty()) {
      directories.push_back(mount.mount_point + "/" + below);
      const std::size_t slash = below.rfind('/');
      below.resize(slash == std::string::npos ? 0 : slash);
    }
  }
  directories.push_back(mount.mount_point);
  return directories;
}

}  // namespace tracebed
