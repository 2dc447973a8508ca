#include "system/shared_links.h"

#include <algorithm>
#include <arpa/inet.h>
#include <atomic>
#include <cerrno>
#include <fcntl.h>
#include <map>
#include <new>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

#include "core/check.h"
#include "core/datanode_options.h"
#include "core/input_error.h"
#include "system/file_descriptor.h"
#include "system/shared_links_layout.h"

namespace tracebed {
namespace {

constexpr std::array<char, 8> file_mark{'T', 'B', 'l', 'i', 'n', 'k', 's', '2'};
constexpr std::uint32_t machines_max = 1'000'000;

std::int64_t monotonic_now() {
  return std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::int64_t bytes_per_second(SharedLinks::Rate rate) {
  return static_cast<std::int64_t>(
      std::min<std::uint64_t>(rate.value_or(0), DatanodeOptions::rate_max));
}

std::optional<std::uint32_t> ipv4_of(std::string_view address) {
  in_addr parsed{};
  if (inet_pton(AF_INET, std::string(address).c_str(), &parsed) != 1) return std::nullopt;
  return parsed.s_addr;
}

[[noreturn]] void fail_with_links(const std::filesystem::path& file, const std::string& why) {
  throw EnvironmentError("the links of the run's machines, " + file.string() + ": " + why);
}

}  // namespace

std::size_t SharedLinks::file_bytes(std::size_t machines, std::size_t racks) {
  const std::size_t links = 2 * (machines + racks) + machines;
  return sizeof(Header) + machines * (sizeof(Machine) + sizeof(Seek)) + links * sizeof(Link);
}

void SharedLinks::create(const std::filesystem::path& file, std::span<const Place> machines,
                         Rate rack_rate) {
  std::map<std::string_view, std::uint32_t> racks;
  std::vector<Machine> sorted;
  for (const Place& place : machines) {
    const auto address = ipv4_of(place.address);
    if (!address) fail_with_links(file, "expected an IPv4 address, got " + place.address);
    const auto number = static_cast<std::uint32_t>(racks.size());
    sorted.push_back({*address, racks.emplace(place.rack, number).first->second});
  }
  std::sort(sorted.begin(), sorted.end(),
            [](const Machine& a, const Machine& b) { return a.address < b.address; });
  const Header header{file_mark, static_cast<std::uint32_t>(sorted.size()),
                      static_cast<std::uint32_t>(racks.size())};
  const std::size_t network = 2 * (sorted.size() + racks.size());
  const std::size_t links = network + sorted.size();
  const std::size_t size = file_bytes(sorted.size(), racks.size());
  const FileDescriptor opened(
      ::open(file.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!opened.is_open() || ::ftruncate(opened.number(), static_cast<off_t>(size)) != 0) {
    fail_with_links(file, error_text(errno));
  }
  void* const mapped =
      ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, opened.number(), 0);
  if (mapped == MAP_FAILED) fail_with_links(file, error_text(errno));
  auto* bytes = static_cast<std::byte*>(mapped);
  new (bytes) Header(header);
  bytes += sizeof(Header);
  for (const Machine& machine : sorted) {
    new (bytes) Machine(machine);
    bytes += sizeof(Machine);
  }
  for (std::size_t i = 0; i < links; ++i) {
    auto* const link = new (bytes) Link{};
    if (i >= 2 * sorted.size() && i < network) {
      link->set_rate(bytes_per_second(rack_rate), monotonic_now());
    }
    bytes += sizeof(Link);
  }
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    new (bytes) Seek{};
    bytes += sizeof(Seek);
  }
  ::munmap(mapped, size);
}

SharedLinks::SharedLinks(const std::filesystem::path& file) {
  const FileDescriptor opened(::open(file.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW));
  struct stat status {};
  if (!opened.is_open() || ::fstat(opened.number(), &status) != 0) {
    fail_with_links(file, error_text(errno));
  }
  size_ = static_cast<std::size_t>(status.st_size);
  if (!S_ISREG(status.st_mode) || size_ < sizeof(Header)) fail_with_links(file, "it is too short");
  mapped_ = ::mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_SHARED, opened.number(), 0);
  if (mapped_ == MAP_FAILED) fail_with_links(file, error_text(errno));
  const auto& header = *static_cast<const Header*>(mapped_);
  const bool is_whole = header.mark == file_mark && header.machines <= machines_max &&
                        header.racks <= header.machines &&
                        size_ == file_bytes(header.machines, header.racks);
  bool has_all_racks = is_whole;
  for (std::size_t i = 0; has_all_racks && i < header.machines; ++i) {
    has_all_racks = machine(i).rack < header.racks;
  }
  if (has_all_racks) return;
  ::munmap(mapped_, size_);
  fail_with_links(file, "it is damaged");
}

SharedLinks::~SharedLinks() {
  ::munmap(mapped_, size_);
}

SharedLinks::Machine& SharedLinks::machine(std::size_t index) const {
  auto* bytes = static_cast<std::byte*>(mapped_) + sizeof(Header);
  return reinterpret_cast<Machine*>(bytes)[index];
}

SharedLinks::Link& SharedLinks::link(std::size_t index) const {
  const auto& header = *static_cast<const Header*>(mapped_);
  auto* bytes =
      static_cast<std::byte*>(mapped_) + sizeof(Header) + header.machines * sizeof(Machine);
  return reinterpret_cast<Link*>(bytes)[index];
}

std::size_t SharedLinks::disk_link(std::size_t machine) const {
  const auto& header = *static_cast<const Header*>(mapped_);
  return 2 * (std::size_t{header.machines} + header.racks) + machine;
}

SharedLinks::Seek& SharedLinks::seek(std::size_t machine) const {
  const std::size_t links = disk_link(static_cast<const Header*>(mapped_)->machines);
  return reinterpret_cast<Seek*>(&link(links))[machine];
}

std::optional<std::size_t> SharedLinks::find(std::string_view address) const {
  const auto wanted = ipv4_of(address);
  if (!wanted) return std::nullopt;
  const Machine* const begin = &machine(0);
  const Machine* const end = begin + static_cast<const Header*>(mapped_)->machines;
  const Machine* const found = std::lower_bound(
      begin, end, *wanted,
      [](const Machine& machine, std::uint32_t one) { return machine.address < one; });
  if (found == end || found->address != *wanted) return std::nullopt;
  return static_cast<std::size_t>(found - begin);
}

void SharedLinks::set_interface_rate(std::string_view address, Rate rate) {
  const auto found = find(address);
  if (!found) return;
  for (const std::size_t direction : {0u, 1u}) {
    link(2 * *found + direction).set_rate(bytes_per_second(rate), monotonic_now());
  }
}

void SharedLinks::set_disk_rate(std::string_view address, Rate rate,
                                std::chrono::nanoseconds latency) {
  const auto found = find(address);
  if (!found) return;
  link(disk_link(*found)).set_rate(bytes_per_second(rate), monotonic_now());
  seek(*found).store(std::max<std::int64_t>(0, latency.count()));
}

SharedLinks::Path SharedLinks::path(std::string_view from, std::string_view to, Disks disks) const {
  Path path;
  const std::size_t machines = static_cast<const Header*>(mapped_)->machines;
  const auto source = find(from);
  const auto target = find(to);
  const auto add = [&](std::size_t index) { path.links_[path.size_++] = index; };
  const auto add_disk = [&](std::size_t of) {
    add(disk_link(of));
    path.disks_[path.disks_size_++] = of;
  };
  if (source && disks.begin) add_disk(*source);
  if (target && disks.end) add_disk(*target);
  if (from == to) return path;
  const bool leaves_rack = !source || !target || machine(*source).rack != machine(*target).rack;
  if (source) add(2 * *source);
  if (source && leaves_rack) add(2 * (machines + machine(*source).rack));
  if (target && leaves_rack) add(2 * (machines + machine(*target).rack) + 1);
  if (target) add(2 * *target + 1);
  return path;
}

bool SharedLinks::acquire(const Path& path, std::uint64_t bytes, Access access) {
  TRACEBED_CHECK(bytes <= request_bytes_max, "a request is a part of a transfer");
  std::int64_t latency = 0;
  for (std::size_t i = 0; i < path.disks_size_ && access == Access::seek; ++i) {
    latency = std::max(latency, seek(path.disks_[i]).load());
  }
  // Nothing is requested before, so that nobody else waits for it.
  if (latency > 0 && !pause(std::chrono::nanoseconds(latency))) return false;
  std::array<std::int64_t, 6> granted{};
  for (std::size_t i = 0; i < path.size_; ++i) {
    granted[i] = link(path.links_[i]).request(static_cast<std::int64_t>(bytes), monotonic_now());
  }
  while (!is_stopped_) {
    std::int64_t wait = 0;
    for (std::size_t i = 0; i < path.size_; ++i) {
      wait = std::max(wait, link(path.links_[i]).wait_for(granted[i], monotonic_now()));
    }
    if (wait == 0) return true;
    pause(std::chrono::nanoseconds(wait));
  }
  return false;
}

bool SharedLinks::pause(std::chrono::nanoseconds time) {
  std::unique_lock lock(mutex_);
  return !stopped_.wait_for(lock, time, [&] { return is_stopped_.load(); });
}

void SharedLinks::stop() {
  const std::lock_guard lock(mutex_);
  is_stopped_ = true;
  stopped_.notify_all();
}

}  // namespace tracebed
