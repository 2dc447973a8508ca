// The disks and the network of machines that are all on this one: disks, network interfaces and
// rack uplinks as rates in a file that the processes of a local run map, since what leaves one
// machine's disk may have to pass another machine's interface, and several processes share a
// machine's disk. Interfaces and uplinks are full duplex; a disk's reads and writes share its rate.
// What stays in a rack passes no uplink.
//
// Each link is a token bucket whose requests are granted in their order: one is granted when the
// bytes of all requests before it have passed. So streams with one small request at a time share
// it equally. Time without requests is credited, up to `burst`. Processes lock nothing: one that
// is stopped or killed holds up no other.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace tracebed {

class SharedLinks {
 public:
  using Rate = std::optional<std::uint64_t>;  // bytes per second; none: unlimited
  static constexpr std::uint64_t request_bytes_max = std::uint64_t{1} << 40;
  static constexpr std::chrono::nanoseconds burst = std::chrono::milliseconds(100);

  struct Place {
    std::string address;  // IPv4, of one machine
    std::string rack;
  };
  // Makes the file, for its user alone, with unlimited disks and interfaces. Throws
  // EnvironmentError. Rates are from 1 to DatanodeOptions::rate_max.
  static void create(const std::filesystem::path& file, std::span<const Place> machines,
                     Rate rack_rate);

  // Maps it. Throws EnvironmentError if it is no such file, or is damaged.
  explicit SharedLinks(const std::filesystem::path& file);
  ~SharedLinks();
  SharedLinks(const SharedLinks&) = delete;
  SharedLinks& operator=(const SharedLinks&) = delete;

  // In both directions, for all processes, also for requests that wait. One process at a time sets
  // the rate of a machine.
  void set_interface_rate(std::string_view address, Rate rate);
  // Likewise; `seek` is from 0 on, and for later requests.
  void set_disk_rate(std::string_view address, Rate rate, std::chrono::nanoseconds seek);

  // The links from one address to another. An address of no machine is that of a client elsewhere,
  // outside of all racks, whose own interface and disk are unlimited.
  class Path {
   public:
    bool empty() const { return size_ == 0; }

   private:
    friend class SharedLinks;
    std::array<std::size_t, 6> links_{};
    std::size_t size_ = 0;
    std::array<std::size_t, 2> disks_{};
    std::size_t disks_size_ = 0;
  };
  // Which disks are on the way: the one that is read at its begin, the one that is written at its
  // end.
  struct Disks {
    bool begin = false;
    bool end = false;
  };
  Path path(std::string_view from, std::string_view to, Disks disks) const;
  Path path(std::string_view from, std::string_view to) const { return path(from, to, {}); }

  // Whether bytes follow those of the stream's last request, or are sought first, which delays that
  // stream and takes nothing from the others, as on a disk with a queue of commands.
  enum class Access : std::uint8_t { sequential, seek };
  // Waits until all links and disks of the path grant `bytes` bytes, at most request_bytes_max
  // (checked). False if stop() was called. Any thread.
  [[nodiscard]] bool acquire(const Path& path, std::uint64_t bytes,
                             Access access = Access::sequential);
  // Every acquire() of this object returns false from now on, those that wait at once.
  void stop();

 private:
  struct Header;
  struct Machine;
  struct Link;
  using Seek = std::atomic<std::int64_t>;

  static std::size_t file_bytes(std::size_t machines, std::size_t racks);
  std::optional<std::size_t> find(std::string_view address) const;
  // Of a machine or a rack; then those of disks.
  Link& link(std::size_t index) const;
  std::size_t disk_link(std::size_t machine) const;
  // By the number of the disk's machine, in ns.
  Seek& seek(std::size_t machine) const;
  Machine& machine(std::size_t index) const;
  // False as soon as stop() was called.
  bool pause(std::chrono::nanoseconds time);

  void* mapped_ = nullptr;
  std::size_t size_ = 0;
  std::mutex mutex_;  // for stopped_ alone
  std::condition_variable stopped_;
  std::atomic<bool> is_stopped_ = false;
};

}  // namespace tracebed
