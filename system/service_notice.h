// What a daemon reports to the service manager that started it (sd_notify(3)): that it is ready,
// its status, and that its loop still turns. One datagram each to the socket that NOTIFY_SOCKET
// names; without one nothing is sent. Not by libsystemd: it would bring compression and encryption
// into a program that runs as root and needs neither.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "system/file_descriptor.h"

namespace tracebed {

class ServiceNotice {
 public:
  // Reads NOTIFY_SOCKET and WATCHDOG_USEC, before there are threads. Throws EnvironmentError if the
  // first does not name a usable socket.
  ServiceNotice();

  void ready();
  // One line, shown by `systemctl status`; repeats are not sent.
  void status(const std::string& text);
  void stopping();

  // To be called each time the daemon's loop turns: reports it when a third of the manager's
  // watchdog timeout has passed.
  void turn();
  // Maximum time between two turns; the longest possible duration if there is no watchdog.
  std::chrono::milliseconds turn_max() const { return turn_max_; }

 private:
  void send(std::string_view message);

  FileDescriptor socket_;
  std::string status_;
  std::chrono::milliseconds turn_max_ = std::chrono::milliseconds::max();
  std::chrono::steady_clock::time_point next_turn_{};
};

}  // namespace tracebed
