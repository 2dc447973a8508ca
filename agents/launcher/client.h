// The agent's end of the connection to its launcher.
#pragma once

#include <cstdint>
#include <string>
#include <sys/types.h>
#include <variant>
#include <vector>

#include "agents/launcher/messages.h"
#include "agents/launcher/packet_channel.h"
#include "core/result.h"

namespace tracebed::launcher {

class LauncherClient {
 public:
  // Takes a connected SEQPACKET socket and sends `hello`.
  explicit LauncherClient(FileDescriptor socket);

  // To poll for input, and for output while wants_write().
  int number() const { return channel_.number(); }
  bool wants_write() const { return channel_.has_unsent(); }
  void flush() { channel_.flush(); }

  void launch(std::span<const LaunchRecord> records);
  void launch(const MasterLaunchRecord& record);
  void release(std::span<const std::uint32_t> containers);
  void kill(std::span<const std::uint32_t> containers);
  void checkpoint(std::span<const std::uint32_t> containers);
  void acknowledge(std::uint64_t exits_up_to);
  void query_usage();
  void set(const SettingsRecord& settings);
  void shutdown();

  using News = std::variant<StartedRecord, ExitedRecord, StateRecord, UsageRecord, ProgressRecord>;
  // Appends what has arrived. False when the launcher is gone. Malformed packets are counted.
  bool receive(std::vector<News>& news);
  std::uint64_t malformed() const { return malformed_; }
  const std::string& first_malformed() const { return first_malformed_; }

 private:
  template <class Record>
  void send_each(std::span<const std::uint32_t> containers);

  PacketChannel channel_;
  std::uint64_t malformed_ = 0;
  std::string first_malformed_;
};

// Connects to a launcher that listens at `path`, and is owned by root or this process's user.
Result<FileDescriptor> connect_to_launcher(const std::string& path);

// Listens at `path`, which an earlier launcher may have left behind: it is replaced if no process
// answers there. Only `owner` may connect. Its folder must be owned by root or this process's user
// and writable by no other user, as anyone who can write there could put another socket in its
// place. The error is the reason.
Result<FileDescriptor> listen_for_agent(const std::string& path, uid_t owner);

}  // namespace tracebed::launcher
