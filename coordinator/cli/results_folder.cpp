#include "coordinator/cli/results_folder.h"

#include <chrono>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <unistd.h>

#include "system/taken_folder.h"

namespace tracebed {
namespace {

std::filesystem::path new_folder(const std::string& name) {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  return make_new_folder(fmt::format("runs/{}-{:%Y%m%d-%H%M%S}", name, fmt::localtime(now)));
}

}  // namespace

ResultsFolder::ResultsFolder(const std::filesystem::path& asked, const std::string& name)
    : is_new_(asked.empty()), path_(is_new_ ? new_folder(name) : asked) {}

ResultsFolder::~ResultsFolder() {
  if (is_new_) static_cast<void>(::rmdir(path_.c_str()));  // fails if anything is in it
}

}  // namespace tracebed
