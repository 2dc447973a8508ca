#include "system/descriptor_limit.h"

#include <cerrno>
#include <fmt/format.h>
#include <sys/resource.h>

#include "core/input_error.h"
#include "system/file_descriptor.h"

namespace tracebed {

void raise_descriptor_limit(std::uint64_t needed, std::string_view for_what) {
  rlimit limit = {};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) {
    throw EnvironmentError("RLIMIT_NOFILE cannot be read: " + error_text(errno));
  }
  if (limit.rlim_cur < limit.rlim_max) {
    limit.rlim_cur = limit.rlim_max;
    if (::setrlimit(RLIMIT_NOFILE, &limit) != 0) {
      throw EnvironmentError("RLIMIT_NOFILE cannot be raised: " + error_text(errno));
    }
  }
  if (limit.rlim_cur >= needed) return;
  throw EnvironmentError(
      fmt::format("RLIMIT_NOFILE (LimitNOFILE= of a unit, ulimit -n of a shell) is {}; expected at "
                  "least {} for {}",
                  limit.rlim_cur, needed, for_what));
}

std::uint64_t descriptor_limit() {
  constexpr std::uint64_t usual = 1'024;
  rlimit limit = {};
  return ::getrlimit(RLIMIT_NOFILE, &limit) == 0 ? limit.rlim_cur : usual;
}

}  // namespace tracebed
