#include "agents/datanode/pool_folders.h"

#include <vector>

#include "core/check.h"
#include "core/input_error.h"
#include "system/files_below.h"

namespace tracebed {
namespace {

constexpr const char* pool_prefix = "BP-";

const std::filesystem::path& existing_folder(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw EnvironmentError(folder.string() + ": " + error.message());
  return folder;
}

// A link is none, wherever it leads.
std::vector<std::filesystem::path> pools_in(const std::filesystem::path& folder,
                                            std::error_code& error) {
  std::vector<std::filesystem::path> pools;
  for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    const bool is_pool = entry->path().filename().string().starts_with(pool_prefix);
    if (is_pool && entry->symlink_status().type() == std::filesystem::file_type::directory) {
      pools.push_back(entry->path());
    }
  }
  return pools;
}

}  // namespace

PoolFolders::PoolFolders(std::filesystem::path folder)
    : folder_(std::move(folder)), lock_(existing_folder(folder_)) {}

std::filesystem::path PoolFolders::open(const std::string& pool) const {
  const std::string name = pool_prefix + pool;
  TRACEBED_CHECK(is_path_below(name) && name.find('/') == std::string::npos,
                 "a pool's name is one word of a path");
  std::error_code error;
  for (const std::filesystem::path& found : pools_in(folder_, error)) {
    if (found.filename() != name) std::filesystem::remove_all(found, error);
    if (error) throw EnvironmentError(found.string() + ": " + error.message());
  }
  if (error) throw EnvironmentError(folder_.string() + ": " + error.message());
  return existing_folder(folder_ / name);
}

void PoolFolders::remove_all() const {
  std::error_code ignored;
  for (const std::filesystem::path& found : pools_in(folder_, ignored)) {
    std::filesystem::remove_all(found, ignored);
  }
}

}  // namespace tracebed
