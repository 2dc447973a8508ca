#include "system/own_machine.h"

#include <arpa/inet.h>
#include <array>
#include <cerrno>
#include <fcntl.h>
#include <fstream>
#include <ifaddrs.h>
#include <memory>
#include <unistd.h>

#include "core/digest.h"
#include "core/input_error.h"
#include "system/file_descriptor.h"
#include "system/files.h"

namespace tracebed {

std::string host_name() {
  std::array<char, 256> name = {};
  if (gethostname(name.data(), name.size() - 1) != 0) {
    throw EnvironmentError("this machine's host name cannot be read: " + error_text(errno));
  }
  return name.data();
}

std::string processor_model() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("model name")) continue;
    const std::size_t begin = line.find_first_not_of(": \t", line.find(':'));
    if (begin != std::string::npos) return line.substr(begin);
  }
  return "unknown";
}

std::string address_of_interface(const std::string& interface) {
  ifaddrs* list = nullptr;
  if (getifaddrs(&list) != 0) {
    throw EnvironmentError("this machine's interfaces cannot be listed: " + error_text(errno));
  }
  const std::unique_ptr<ifaddrs, void (*)(ifaddrs*)> owned(list, freeifaddrs);
  for (const ifaddrs* entry = list; entry != nullptr; entry = entry->ifa_next) {
    if (entry->ifa_addr == nullptr || entry->ifa_addr->sa_family != AF_INET) continue;
    if (interface != entry->ifa_name) continue;
    std::array<char, INET_ADDRSTRLEN> text = {};
    const void* const bytes = entry->ifa_addr;
    inet_ntop(AF_INET, &static_cast<const sockaddr_in*>(bytes)->sin_addr, text.data(), text.size());
    return text.data();
  }
  throw EnvironmentError("interface " + interface + " has no IPv4 address");
}

std::string host_identity() {
  const auto text = read_kernel_file(AT_FDCWD, "/etc/machine-id");
  if (!text || text->empty()) return host_name();
  Digest digest;
  digest.add(std::uint64_t{0x74726163656265});  // of this use alone
  for (const char c : *text) digest.add(static_cast<std::uint64_t>(static_cast<unsigned char>(c)));
  return digest.to_string();
}

}  // namespace tracebed
