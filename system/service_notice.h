// What a daemon tells the service manager that started it (sd_notify(3)): that it is ready, how it
// stands, and that it still turns. A datagram each to the socket that NOTIFY_SOCKET names; without
// one nothing is said. Not libsystemd's: it would bring compression and encryption into a program
// that runs as root and needs neither.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "system/file_descriptor.h"

namespace tracebed {

class ServiceNotice {
 public:
  // Reads NOTIFY_SOCKET and WATCHDOG_USEC, before there are threads. Throws EnvironmentError if the
  // first names no socket that can be spoken to.
  ServiceNotice();

  void ready();
  // One line, shown by `systemctl status`; repeats are not sent.
  void status(const std::string& text);
  void stopping();

  // To be called each time the daemon's loop turns: says so when a third of the time has passed
  // after which the manager takes it for stuck.
  void turn();
  // No turn may be later than this after another; the longest of durations if nobody watches.
  std::chrono::milliseconds turn_max() const { return turn_max_; }

 private:
  void send(std::string_view message);

  FileDescriptor socket_;
  std::string status_;
  std::chrono::milliseconds turn_max_ = std::chrono::milliseconds::max();
  std::chrono::steady_clock::time_point next_turn_{};
};

}  // namespace tracebed
