// The members of what the namenode is asked for and given, in their order, for whoever writes or
// reads all of them. The names are bound to all members at once, so that a new member does not
// compile before it is here. Logs have them in this order: a new operation comes last in its
// variant.
#pragma once

#include <tuple>
#include <type_traits>

#include "core/storage_inputs.h"

namespace tracebed {

template <class T, class Wanted>
concept IsA = std::is_same_v<std::remove_const_t<T>, Wanted>;

template <class T>
concept HasNoMembers = IsA<T, RenewLease>;
auto members_of(HasNoMembers auto&) {
  return std::tie();
}

template <class T>
concept HasOneMember =
    IsA<T, UpdateBlockForPipeline> || IsA<T, RecoverLease> || IsA<T, ReportBadBlocks> ||
    IsA<T, SetSafeMode> || IsA<T, DecommissionDatanode> || IsA<T, RecommissionDatanode>;
auto members_of(HasOneMember auto& value) {
  auto& [a] = value;
  return std::tie(a);
}

template <class T>
concept HasTwoMembers = IsA<T, CallIdentity> || IsA<T, AppendFile> || IsA<T, OpenFileName> ||
    IsA<T, AbandonBlock> || IsA<T, CompleteFile> || IsA<T, SyncFile> || IsA<T, RenameInto> ||
    IsA<T, DeletePath> || IsA<T, TruncateFile> || IsA<T, ConcatFiles> || IsA<T, SetReplication> ||
    IsA<T, SetPermission> || IsA<T, ReportBadBlocks::Replicas> || IsA<T, StorageCall> ||
    IsA<T, StorageCalled>;
auto members_of(HasTwoMembers auto& value) {
  auto& [a, b] = value;
  return std::tie(a, b);
}

template <class T>
concept HasThreeMembers = IsA<T, BlockName> || IsA<T, UpdatePipeline> || IsA<T, MakeDirectories> ||
    IsA<T, RenameTo> || IsA<T, SetOwner> || IsA<T, SetTimes>;
auto members_of(HasThreeMembers auto& value) {
  auto& [a, b, c] = value;
  return std::tie(a, b, c);
}

auto members_of(IsA<AddBlock> auto& value) {
  auto& [a, b, c, d] = value;
  return std::tie(a, b, c, d);
}

template <class T>
concept HasSixMembers = IsA<T, StorageCaller> || IsA<T, CommitBlockSynchronization>;
auto members_of(HasSixMembers auto& value) {
  auto& [a, b, c, d, e, f] = value;
  return std::tie(a, b, c, d, e, f);
}

auto members_of(IsA<CreateFile> auto& value) {
  auto& [a, b, c, d, e, f, g] = value;
  return std::tie(a, b, c, d, e, f, g);
}

auto members_of(IsA<PreloadedFile> auto& value) {
  auto& [a, b, c, d, e, f, g, h, i] = value;
  return std::tie(a, b, c, d, e, f, g, h, i);
}

template <class T>
concept HasMembers = requires(T& value) {
  members_of(value);
};

// The greatest enumerator of an enumeration that is a member of one of these.
constexpr SetSafeMode::Action greatest(SetSafeMode::Action) {
  return SetSafeMode::Action::leave;
}

}  // namespace tracebed
