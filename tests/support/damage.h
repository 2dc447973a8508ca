// A file that is damaged at random: a bit of it flipped, its end cut off, something
// appended, or the file removed.
#pragma once

#include <algorithm>
#include <array>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "core/random.h"
#include "support/files.h"

namespace tracebed {

// All below the folder, ascending.
inline std::vector<std::filesystem::path> all_files(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

class FileDamage {
 public:
  // How and where follows from the seed; the destructor undoes it.
  FileDamage(std::filesystem::path file, std::uint64_t seed)
      : file_(std::move(file)), before_(contents(file_)) {
    Random random = Random::stream(seed, file_.filename().string());
    std::string bytes = before_;
    constexpr std::array ways{"a bit flipped in", "the end cut off", "a byte appended to",
                              "removed:"};
    const std::size_t way = random.below(ways.size());
    text_ = std::string(ways[way]) + " " + file_.string() + ", seed " + std::to_string(seed);
    if (way == 0) {
      char& byte = bytes[random.below(bytes.size())];
      byte = static_cast<char>(byte ^ (1 << random.below(8)));
    } else if (way == 1) {
      bytes.resize(random.below(bytes.size()));
    } else if (way == 2) {
      bytes += static_cast<char>(random.below(256));
    } else {
      std::filesystem::remove(file_);
      return;
    }
    write_file(file_, bytes);
  }
  ~FileDamage() { write_file(file_, before_); }
  FileDamage(const FileDamage&) = delete;
  FileDamage& operator=(const FileDamage&) = delete;

  const std::filesystem::path& file() const { return file_; }
  // What was done to which file.
  const std::string& text() const { return text_; }

 private:
  std::filesystem::path file_;
  std::string before_;
  std::string text_;
};

}  // namespace tracebed
