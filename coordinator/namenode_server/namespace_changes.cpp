#include "coordinator/namenode_server/namenode_changes.h"

namespace tracebed {
namespace {

namespace pb = hdfs::pb;

constexpr std::uint32_t mode_bits = 01777;

std::uint16_t mode_of(const pb::FsPermission& permission) {
  return static_cast<std::uint16_t>(permission.perm() & mode_bits);
}

// −1, whose bits a client sends as an unsigned number, is no time.
std::optional<TraceTime> time_of(const HdfsCallContext& context, std::uint64_t milliseconds) {
  const auto epoch = static_cast<std::int64_t>(milliseconds);
  if (epoch < 0) return std::nullopt;
  return context.view.times.from_epoch(epoch);
}

}  // namespace

ChangeResult change(const HdfsCallContext&, const pb::MkdirsRequest& request) {
  return Change{{},
                MakeDirectories{request.src(), mode_of(request.masked()), request.create_parent()}};
}

ChangeResult change(const HdfsCallContext&, const pb::RenameRequest& request) {
  return Change{{}, RenameInto{request.src(), request.dst()}};
}

// Whether the destination is in the trash makes no difference to a namenode without permissions.
ChangeResult change(const HdfsCallContext&, const pb::Rename2Request& request) {
  return Change{{}, RenameTo{request.src(), request.dst(), request.overwrite_dest()}};
}

ChangeResult change(const HdfsCallContext&, const pb::DeleteRequest& request) {
  return Change{{}, DeletePath{request.src(), request.recursive()}};
}

ChangeResult change(const HdfsCallContext&, const pb::TruncateRequest& request) {
  return Change{request.client_name(),
                TruncateFile{request.src(), static_cast<std::int64_t>(request.new_length())}};
}

ChangeResult change(const HdfsCallContext&, const pb::ConcatRequest& request) {
  return Change{{}, ConcatFiles{request.trg(), {request.srcs().begin(), request.srcs().end()}}};
}

ChangeResult change(const HdfsCallContext&, const pb::SetReplicationRequest& request) {
  return Change{{}, SetReplication{request.src(), request.replication()}};
}

ChangeResult change(const HdfsCallContext&, const pb::SetPermissionRequest& request) {
  return Change{{}, SetPermission{request.src(), mode_of(request.permission())}};
}

ChangeResult change(const HdfsCallContext&, const pb::SetOwnerRequest& request) {
  return Change{{}, SetOwner{request.src(), request.username(), request.groupname()}};
}

ChangeResult change(const HdfsCallContext& context, const pb::SetTimesRequest& request) {
  return Change{{},
                SetTimes{request.src(), time_of(context, request.mtime()),
                         time_of(context, request.atime())}};
}

ChangeResult change(const HdfsCallContext&, const pb::SetSafeModeRequest& request) {
  const bool enters = request.action() == pb::SAFEMODE_ENTER;
  return Change{{}, SetSafeMode{enters ? SetSafeMode::Action::enter : SetSafeMode::Action::leave}};
}

}  // namespace tracebed
