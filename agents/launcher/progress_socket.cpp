#include "agents/launcher/progress_socket.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <sys/socket.h>
#include <sys/uio.h>

#include "core/input_error.h"

namespace tracebed::launcher {

ProgressSocket::ProgressSocket() {
  std::array<int, 2> ends = {-1, -1};
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0) {
    throw EnvironmentError("a socket for tasks' progress cannot be had: " + error_text(errno));
  }
  own_end_.reset(ends[0]);
  task_end_.reset(ends[1]);
  const int yes = 1;
  if (setsockopt(number(), SOL_SOCKET, SO_PASSCRED, &yes, sizeof(yes)) != 0) {
    throw EnvironmentError("senders of tasks' progress cannot be known: " + error_text(errno));
  }
}

std::optional<ProgressSocket::Packet> ProgressSocket::receive() {
  ProgressReport report;
  iovec bytes = {&report, sizeof(report)};
  // Room for the sender's credentials, which come first, and for no descriptors.
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(ucred))> control = {};
  msghdr message = {};
  message.msg_iov = &bytes;
  message.msg_iovlen = 1;
  message.msg_control = control.data();
  message.msg_controllen = control.size();
  ssize_t count = 0;
  do {
    count = recvmsg(number(), &message, MSG_DONTWAIT | MSG_TRUNC | MSG_CMSG_CLOEXEC);
  } while (count < 0 && errno == EINTR);
  if (count < 0) return std::nullopt;
  Packet packet;
  const cmsghdr* const header = CMSG_FIRSTHDR(&message);
  if (header != nullptr && header->cmsg_level == SOL_SOCKET &&
      header->cmsg_type == SCM_CREDENTIALS) {
    ucred sender = {};
    std::memcpy(&sender, CMSG_DATA(header), sizeof(sender));
    packet.process = sender.pid;
  }
  // MSG_TRUNC gives the packet's real length.
  const bool is_report =
      static_cast<std::size_t>(count) == sizeof(report) && report.magic == ProgressReport::mark;
  if (is_report) packet.report = report;
  return packet;
}

}  // namespace tracebed::launcher
