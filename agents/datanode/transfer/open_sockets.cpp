#include "agents/datanode/transfer/open_sockets.h"

#include <sys/socket.h>

namespace tracebed {

void OpenSockets::add(int socket) {
  const std::lock_guard lock(mutex_);
  sockets_.insert(socket);
  if (has_ended_receiving_) shutdown(socket, SHUT_RD);
  if (has_ended_) shutdown(socket, SHUT_RDWR);
}

void OpenSockets::remove(int socket) {
  const std::lock_guard lock(mutex_);
  sockets_.erase(socket);
}

void OpenSockets::end() {
  is_ending_ = true;
  const std::lock_guard lock(mutex_);
  has_ended_ = true;
  for (const int socket : sockets_) shutdown(socket, SHUT_RDWR);
}

void OpenSockets::end_receiving() {
  is_ending_ = true;
  const std::lock_guard lock(mutex_);
  has_ended_receiving_ = true;
  for (const int socket : sockets_) shutdown(socket, SHUT_RD);
}

}  // namespace tracebed
