#include "daemon/process_figures.h"

#include <fcntl.h>
#include <filesystem>
#include <iterator>
#include <sys/resource.h>
#include <unistd.h>

#include "system/files.h"

namespace tracebed {
namespace {

double seconds_of(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

double resident_bytes() {
  const auto text = read_kernel_file(AT_FDCWD, "/proc/self/statm");
  if (!text) return 0;
  const std::size_t blank = text->find(' ');  // the first number is the size of the address space
  if (blank == std::string::npos) return 0;
  const auto pages = parse_number(std::string_view(*text).substr(blank + 1));
  return static_cast<double>(pages.value_or(0)) * static_cast<double>(::sysconf(_SC_PAGESIZE));
}

double open_descriptors() {
  std::error_code error;
  std::filesystem::directory_iterator at("/proc/self/fd", error);
  if (error) return 0;
  return static_cast<double>(std::distance(at, {})) - 1;  // less the folder's own
}

}  // namespace

void add_process_figures(MetricsText& metrics, std::string_view daemon, std::string_view version) {
  metrics.family("tracebed_build_info", MetricsText::Kind::gauge,
                 "Version and build of this daemon; the value is 1.");
  metrics.sample(1, {{"daemon", daemon}, {"version", version}});
  rusage usage = {};
  ::getrusage(RUSAGE_SELF, &usage);
  metrics.counter("process_cpu_seconds_total", "CPU time of this daemon.",
                  seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime));
  metrics.gauge("process_resident_memory_bytes", "Memory of this daemon.", resident_bytes());
  metrics.gauge("process_open_fds", "Open descriptors of this daemon.", open_descriptors());
  rlimit limit = {};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  metrics.gauge("process_max_fds", "Maximum number of open descriptors.",
                static_cast<double>(limit.rlim_cur));
}

}  // namespace tracebed
