#include "agents/launcher/client.h"

#include <cerrno>
#include <optional>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

namespace tracebed::launcher {
namespace {

std::optional<sockaddr_un> address_of(const std::string& path) {
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  if (path.empty() || path.size() >= sizeof(address.sun_path)) return std::nullopt;
  path.copy(address.sun_path, path.size());
  return address;
}

FileDescriptor open_socket() {
  return FileDescriptor(socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
}

Error wrong_path(const std::string& path) {
  return Error{"expected a socket path of 1 to " +
               std::to_string(sizeof(sockaddr_un::sun_path) - 1) + " bytes, got '" + path + "'"};
}

}  // namespace

LauncherClient::LauncherClient(FileDescriptor socket) : channel_(std::move(socket)) {
  channel_.send(encode(PacketKind::hello));
}

void LauncherClient::launch(std::span<const LaunchRecord> records) {
  encode_all(records, [&](auto bytes) { channel_.send(std::move(bytes)); });
}

void LauncherClient::launch(const MasterLaunchRecord& record) {
  encode_all(std::span(&record, 1), [&](auto bytes) { channel_.send(std::move(bytes)); });
}

template <class Record>
void LauncherClient::send_each(std::span<const std::uint32_t> containers) {
  std::vector<Record> records;
  for (const std::uint32_t container : containers) records.push_back({container});
  encode_all(std::span<const Record>(records),
             [&](auto bytes) { channel_.send(std::move(bytes)); });
}

void LauncherClient::release(std::span<const std::uint32_t> containers) {
  send_each<ReleaseRecord>(containers);
}

void LauncherClient::kill(std::span<const std::uint32_t> containers) {
  send_each<KillRecord>(containers);
}

void LauncherClient::checkpoint(std::span<const std::uint32_t> containers) {
  send_each<CheckpointRecord>(containers);
}

void LauncherClient::acknowledge(std::uint64_t exits_up_to) {
  const AcknowledgeRecord record = {exits_up_to};
  channel_.send(encode(PacketKind::acknowledge, 1, sizeof(record), &record));
}

void LauncherClient::query_usage() {
  channel_.send(encode(PacketKind::query_usage));
}

void LauncherClient::set(const SettingsRecord& settings) {
  channel_.send(encode(PacketKind::settings, 1, sizeof(settings), &settings));
}

void LauncherClient::shutdown() {
  channel_.send(encode(PacketKind::shutdown));
}

bool LauncherClient::receive(std::vector<News>& news) {
  Packet packet;
  std::string error;
  for (;;) {
    switch (channel_.receive(packet, error)) {
      case PacketChannel::Received::nothing:
        return true;
      case PacketChannel::Received::closed:
        return false;
      case PacketChannel::Received::malformed:
        if (malformed_++ == 0) first_malformed_ = error;
        continue;
      case PacketChannel::Received::packet:
        break;
    }
    for (std::size_t i = 0; i < packet.count; ++i) {
      if (packet.kind == PacketKind::started) news.emplace_back(packet.get<StartedRecord>(i));
      if (packet.kind == PacketKind::exited) news.emplace_back(packet.get<ExitedRecord>(i));
      if (packet.kind == PacketKind::state) news.emplace_back(packet.get<StateRecord>(i));
      if (packet.kind == PacketKind::usage) news.emplace_back(packet.get<UsageRecord>(i));
      if (packet.kind == PacketKind::progress) news.emplace_back(packet.get<ProgressRecord>(i));
    }
  }
}

Result<FileDescriptor> connect_to_launcher(const std::string& path) {
  const auto address = address_of(path);
  if (!address) return wrong_path(path);
  FileDescriptor socket = open_socket();
  if (!socket.is_open() || connect(socket.number(), reinterpret_cast<const sockaddr*>(&*address),
                                   sizeof(*address)) != 0) {
    return Error{"no launcher answers at " + path + ": " + error_text(errno)};
  }
  ucred launcher = {};
  socklen_t bytes = sizeof(launcher);
  if (getsockopt(socket.number(), SOL_SOCKET, SO_PEERCRED, &launcher, &bytes) != 0) {
    return Error{"the owner of the socket " + path + " cannot be determined: " + error_text(errno)};
  }
  if (launcher.uid != 0 && launcher.uid != geteuid()) {
    return Error{"the process listening at " + path + " is no launcher: it is user " +
                 std::to_string(launcher.uid) + "'s"};
  }
  return socket;
}

namespace {

Status check_folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  const std::string folder = slash == std::string::npos ? "."
                             : slash == 0               ? "/"
                                                        : path.substr(0, slash);
  struct stat status = {};
  if (stat(folder.c_str(), &status) != 0) return Error{folder + ": " + error_text(errno)};
  const bool is_ours = status.st_uid == 0 || status.st_uid == geteuid();
  if (is_ours && (status.st_mode & (S_IWGRP | S_IWOTH)) == 0) return success();
  return Error{"expected a folder that no other user can write, got " + folder};
}

}  // namespace

Result<FileDescriptor> listen_for_agent(const std::string& path, uid_t owner) {
  const auto address = address_of(path);
  if (!address) return wrong_path(path);
  if (Status status = check_folder_of(path); !status) return status.error();
  if (connect_to_launcher(path)) return Error{"another launcher answers at " + path};
  struct stat status = {};
  if (lstat(path.c_str(), &status) == 0 && S_ISSOCK(status.st_mode)) unlink(path.c_str());
  FileDescriptor socket = open_socket();
  if (!socket.is_open()) return Error{"a socket cannot be created: " + error_text(errno)};
  // The path must not be open to others between bind and chown.
  const mode_t mask = umask(0177);
  const int bound =
      bind(socket.number(), reinterpret_cast<const sockaddr*>(&*address), sizeof(*address));
  const int bind_error = errno;
  umask(mask);
  if (bound != 0) return Error{path + " cannot be bound: " + error_text(bind_error)};
  if (chown(path.c_str(), owner, static_cast<gid_t>(-1)) != 0) {
    return Error{path + " cannot be given to user " + std::to_string(owner) + ": " +
                 error_text(errno)};
  }
  if (listen(socket.number(), 4) != 0) return Error{path + ": " + error_text(errno)};
  return socket;
}

}  // namespace tracebed::launcher
