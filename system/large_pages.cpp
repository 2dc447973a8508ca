#include "system/large_pages.h"

#include <climits>
#include <cstdlib>
#include <fstream>
#include <string>
#include <unistd.h>

namespace tracebed {
namespace {

constexpr const char* variable = "GLIBC_TUNABLES";
constexpr std::string_view wanted = "glibc.malloc.hugetlb=1";  // glibc 2.35 and later

}  // namespace

LargePages large_pages(std::string_view kernel_mode, const char* tunables) {
  if (tunables != nullptr) return tunables == wanted ? LargePages::was_asked : LargePages::leave;
  const bool is_asking_needed = kernel_mode.find("[madvise]") != std::string_view::npos;
  return is_asking_needed ? LargePages::ask : LargePages::leave;
}

void heap_in_large_pages(char** arguments) {
  std::string mode;
  std::ifstream file("/sys/kernel/mm/transparent_hugepage/enabled");
  std::getline(file, mode);
  const LargePages what = large_pages(mode, std::getenv(variable));
  if (what == LargePages::was_asked) unsetenv(variable);
  if (what != LargePages::ask) return;
  // By its name, since that is what the process will be called.
  char path[PATH_MAX];
  const ssize_t size = readlink("/proc/self/exe", path, sizeof(path) - 1);
  if (size <= 0) return;
  path[size] = '\0';
  setenv(variable, std::string(wanted).c_str(), 1);
  execv(path, arguments);
  unsetenv(variable);
}

}  // namespace tracebed
