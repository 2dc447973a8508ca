#include "core/input_paths.h"

#include <algorithm>

#include "core/mix.h"

namespace tracebed {
namespace {

constexpr std::string_view relative_root = "/tracebed/paths";
constexpr std::size_t name_bytes_max = 255;    // dfs.namenode.fs-limits.max-component-length
constexpr std::size_t path_bytes_max = 8'000;  // HdfsServerConstants.MAX_PATH_LENGTH
constexpr std::size_t names_max = 1'000;       // HdfsServerConstants.MAX_PATH_DEPTH

std::string hex(std::uint64_t number, std::size_t digits) {
  constexpr std::string_view symbols = "0123456789ABCDEF";
  std::string text(digits, '0');
  for (std::size_t i = digits; i > 0; --i, number >>= 4) text[i - 1] = symbols[number & 15];
  return text;
}

std::uint64_t hash(std::string_view text) {
  std::uint64_t value = text.size();
  for (const char c : text) value = mix(value ^ static_cast<unsigned char>(c));
  return value;
}

bool is_plain(char c) {
  return c > ' ' && c < '\x7f' && c != '%' && c != ':' && c != '\\';
}

std::string escaped(std::string_view name) {
  const bool is_relative = name == "." || name == "..";
  std::string text;
  for (const char c : name) {
    if (is_plain(c) && !is_relative) {
      text += c;
    } else {
      text += '%' + hex(static_cast<unsigned char>(c), 2);
    }
  }
  if (text.size() <= name_bytes_max) return text;
  constexpr std::size_t hash_digits = 16;
  return text.substr(0, name_bytes_max - hash_digits - 1) + '-' + hex(hash(name), hash_digits);
}

// Without "hdfs://host:8020" and the like.
std::string_view without_authority(std::string_view path) {
  const std::size_t colon = path.find("://");
  if (colon == std::string_view::npos || path.find('/') < colon) return path;
  const std::size_t root = path.find('/', colon + 3);
  return root == std::string_view::npos ? "/" : path.substr(root);
}

}  // namespace

std::string storage_path(std::string_view trace_path) {
  const std::string_view path = without_authority(trace_path);
  std::string text(path.starts_with('/') ? std::string_view() : relative_root);
  std::size_t names = 0;
  for (std::size_t begin = 0; begin < path.size();) {
    const std::size_t end = std::min(path.find('/', begin), path.size());
    if (end > begin) {
      text += '/' + escaped(path.substr(begin, end - begin));
      ++names;
    }
    begin = end + 1;
  }
  if (text.size() > path_bytes_max || names > names_max || names == 0) {
    return std::string(relative_root) + '/' + hex(hash(trace_path), 16);
  }
  return text;
}

bool has_files(JobKind kind) {
  return kind == JobKind::map_reduce || kind == JobKind::dag;
}

bool reads_file(const Job& job, const Stage& stage) {
  return has_files(job.kind) && stage.kind == StageKind::map && input_bytes_of(stage) > 0;
}

std::string input_path_of(const Job& job, std::size_t stage) {
  const std::string& named = job.stages[stage].input_path;
  if (!named.empty()) return storage_path(named);
  std::string path = "/tracebed/" + std::to_string(job.id.value()) + "/input";
  if (stage > 0) path += '-' + std::to_string(stage);
  return path;
}

std::int64_t input_bytes_of(const Stage& stage) {
  constexpr std::int64_t bytes_max = std::int64_t{1} << 62;
  std::int64_t bytes = 0;
  for (const TaskRun& run : stage.runs) {
    std::int64_t of_run = 0;
    if (__builtin_mul_overflow(run.work.input_bytes, std::int64_t{run.count}, &of_run)) {
      return bytes_max;
    }
    bytes = of_run > bytes_max - bytes ? bytes_max : bytes + of_run;
  }
  return bytes;
}

}  // namespace tracebed
