#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "lint/architecture.h"
#include "lint/rules.h"

namespace tracebed::lint {
namespace {

// What a pure room may see beside the project: containers, algorithms, text and numbers.
constexpr std::array<std::string_view, 44> pure_headers = {"algorithm",
                                                           "array",
                                                           "bit",
                                                           "bitset",
                                                           "boost/container/small_vector.hpp",
                                                           "charconv",
                                                           "chrono",
                                                           "cmath",
                                                           "compare",
                                                           "concepts",
                                                           "cstddef",
                                                           "cstdint",
                                                           "cstring",
                                                           "deque",
                                                           "exception",
                                                           "functional",
                                                           "iterator",
                                                           "initializer_list",
                                                           "limits",
                                                           "list",
                                                           "map",
                                                           "memory",
                                                           "new",
                                                           "numeric",
                                                           "optional",
                                                           "queue",
                                                           "ranges",
                                                           "ratio",
                                                           "set",
                                                           "span",
                                                           "stack",
                                                           "stdexcept",
                                                           "string",
                                                           "string_view",
                                                           "tuple",
                                                           "type_traits",
                                                           "typeinfo",
                                                           "unordered_map",
                                                           "unordered_set",
                                                           "utility",
                                                           "valarray",
                                                           "variant",
                                                           "vector",
                                                           "version"};

struct Exemption {
  std::string_view path;
  std::string_view header;
  std::string_view reason;
};
constexpr std::array<Exemption, 9> exemptions = {{
    {"core/check.cpp", "atomic", "any thread's invariant may fail"},
    {"core/check.cpp", "cstdio", "a failed invariant speaks before it leaves"},
    {"core/check.cpp", "cstdlib", "and leaves"},
    {"protocol/hdfs/crc.cpp", "isa-l/crc.h", "checksums by the processor's instructions"},
    {"protocol/hdfs/file_checksum.cpp", "openssl/evp.h", "MD5"},
    {"protocol/shuffle/shuffle_token.cpp", "sodium.h", "HMAC-SHA256"},
    {"protocol/webhdfs/web_failure.cpp", "nlohmann/json.hpp", "JSON"},
    {"protocol/webhdfs/web_json.cpp", "nlohmann/json.hpp", "JSON"},
    {"schedulers/yarn/capacity/placement/mapping_rules_json.cpp", "nlohmann/json.hpp", "JSON"},
}};

struct Include {
  std::size_t line = 0;
  std::string_view target;
  bool quoted = false;
};

std::optional<Include> include_of(std::size_t number, std::string_view line) {
  constexpr std::string_view keyword = "#include ";
  if (!line.starts_with(keyword)) return std::nullopt;
  line.remove_prefix(keyword.size());
  const bool quoted = line.starts_with('"');
  const std::size_t end = line.find(quoted ? '"' : '>', 1);
  if (end == std::string_view::npos) return std::nullopt;
  return Include{number, line.substr(1, end - 1), quoted};
}

std::vector<Include> includes_of(const SourceFile& file) {
  std::vector<Include> includes;
  for_each_line(file.code, [&](std::size_t number, std::string_view line) {
    if (const auto include = include_of(number, line)) includes.push_back(*include);
  });
  return includes;
}

std::string folder_of(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return std::string(slash == std::string_view::npos ? "" : path.substr(0, slash));
}

bool lies_in(std::string_view path, std::string_view folder) {
  return path.starts_with(folder) && path.substr(folder.size()).starts_with('/');
}

bool may_include(const Room& room, std::string_view target) {
  if (lies_in(target, room.folder)) return true;
  return std::any_of(room.may_include.begin(), room.may_include.end(),
                     [&](std::string_view folder) { return lies_in(target, folder); });
}

// The outputs of flatc, protoc and the Thrift compiler, which lie in the build tree.
bool is_generated(std::string_view header) {
  return header.ends_with("_generated.h") || header.ends_with(".pb.h") || header == "Control.h" ||
         header == "Storage.h" || header == "control_types.h";
}

bool is_exempt(const SourceFile& file, std::string_view header) {
  return std::any_of(exemptions.begin(), exemptions.end(), [&](const Exemption& exemption) {
    return exemption.path == file.path && exemption.header == header;
  });
}

void check_quoted(const SourceFile& file, const Include& include, Findings& findings) {
  const auto report = [&](std::string message) {
    findings.push_back({file.path, include.line, std::move(message)});
  };
  if (is_generated(include.target)) return;
  if (include.target.find('/') == std::string_view::npos ||
      include.target.find("..") != std::string_view::npos) {
    report("an include is written from the root: \"room/file.h\"");
    return;
  }
  const Room* room = room_of(file.path);
  if (room != nullptr && !may_include(*room, include.target)) {
    report(std::string(room->folder) + " may not include " + std::string(include.target) +
           "; no arrow of the architecture points there");
  }
}

// A source that includes its own header first proves that the header compiles alone.
void check_own_header_first(const SourceFile& file, const std::vector<Include>& includes,
                            Findings& findings) {
  if (is_header(file)) return;
  const std::string own = file.path.substr(0, file.path.size() - 4) + ".h";
  for (std::size_t i = 1; i < includes.size(); ++i) {
    if (includes[i].target == own) {
      findings.push_back({file.path, includes[i].line, "a source includes its own header first"});
    }
  }
}

// A circle that contains `start`, if the arrows hold one; depth first, in the order of names.
bool reaches(const std::map<std::string, std::set<std::string>>& arrows, const std::string& from,
             const std::string& to, std::set<std::string>& seen) {
  const auto found = arrows.find(from);
  if (found == arrows.end()) return false;
  for (const std::string& next : found->second) {
    if (next == to) return true;
    if (seen.insert(next).second && reaches(arrows, next, to, seen)) return true;
  }
  return false;
}

}  // namespace

void check_includes(const SourceFile& file, Findings& findings) {
  if (!is_cpp(file)) return;
  const std::vector<Include> includes = includes_of(file);
  check_own_header_first(file, includes, findings);
  const Room* room = room_of(file.path);
  for (const Include& include : includes) {
    if (room != nullptr && include.target == "random") {
      findings.push_back({file.path, include.line,
                          "<random> differs between libraries; use "
                          "core/random.h"});
      continue;
    }
    if (include.quoted) {
      check_quoted(file, include, findings);
      continue;
    }
    const bool is_listed =
        std::find(pure_headers.begin(), pure_headers.end(), include.target) != pure_headers.end();
    if (room != nullptr && room->pure && !is_listed && !is_exempt(file, include.target)) {
      findings.push_back({file.path, include.line,
                          "<" + std::string(include.target) + "> is not for a pure room"});
    }
  }
}

void check_folder_circles(std::span<const SourceFile> files, Findings& findings) {
  std::map<std::string, std::set<std::string>> arrows;
  for (const SourceFile& file : files) {
    if (!is_cpp(file) || room_of(file.path) == nullptr) continue;
    for (const Include& include : includes_of(file)) {
      if (!include.quoted || room_of(include.target) == nullptr) continue;
      const std::string target = folder_of(include.target);
      if (target != folder_of(file.path)) arrows[folder_of(file.path)].insert(target);
    }
  }
  for (const auto& [folder, targets] : arrows) {
    std::set<std::string> seen;
    if (reaches(arrows, folder, folder, seen)) {
      findings.push_back({folder, 0, "the folder includes itself by way of others"});
    }
  }
}

}  // namespace tracebed::lint
