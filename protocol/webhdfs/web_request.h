// A request over WebHDFS: method, path, operation and parameters.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "protocol/webhdfs/web_failure.h"
#include "protocol/webhdfs/web_operation.h"

namespace tracebed::webhdfs {

// What a request has of the parameters that this testbed's operations use, within their ranges.
// Absent ones, empty texts and the value "null" are nothing. Names in lower case are the
// parameter's.
struct WebParameters {
  std::optional<std::string> user_name;  // user.name
  std::optional<std::string> doas;
  std::optional<std::int64_t> offset;       // ≥ 0
  std::optional<std::int64_t> length;       // ≥ 0
  std::optional<std::int64_t> buffer_size;  // buffersize, ≥ 1
  std::optional<bool> overwrite;
  std::optional<std::int64_t> block_size;           // blocksize, ≥ 1
  std::optional<std::int64_t> replication;          // 1 … 32767
  std::optional<std::int64_t> permission;           // octal, 0 … 1777
  std::optional<std::int64_t> unmasked_permission;  // unmaskedpermission, likewise
  std::optional<bool> create_parent;                // createparent
  std::optional<std::uint32_t> create_flags;        // createflag, as pb::CreateFlag's bits
  std::optional<std::string> destination;           // an absolute path
  std::optional<bool> overwrites_destination;       // renameoptions=OVERWRITE; false: NONE
  std::optional<bool> recursive;
  std::optional<std::int64_t> new_length;  // newlength, ≥ 0
  std::vector<std::string> sources;        // paths, divided by commas
  std::optional<std::string> owner;
  std::optional<std::string> group;
  std::optional<std::int64_t> modification_time;  // modificationtime, milliseconds; −1: unchanged
  std::optional<std::int64_t> access_time;        // accesstime, likewise
  std::optional<std::uint32_t> action;            // fsaction, "r-x": as pb::FsAction
  std::optional<std::string> start_after;         // startafter
  std::optional<bool> no_redirect;                // noredirect
  std::optional<std::string> namenode_address;    // namenoderpcaddress
  std::vector<std::string> excluded_datanodes;    // excludedatanodes

  bool operator==(const WebParameters&) const = default;
};

struct WebRequest {
  WebOperation operation = WebOperation::open;
  std::string path;  // decoded; begins with '/'
  WebParameters parameters;

  bool operator==(const WebRequest&) const = default;
};

struct WebLimits {
  std::size_t target_bytes_max = 65536;  // Hadoop's limit of a request's headers
};

// The target is that of the request line: "/webhdfs/v1/…?op=…". Names of parameters may have
// letters of both cases; of equal ones the first counts, and unknown ones are ignored.
Result<WebRequest, WebFailure> parse_web_request(HttpMethod method, std::string_view target,
                                                 const WebLimits& limits = {});

// The target to which a client is redirected: the same request with the namenode's address, and
// without what concerns the redirection. `target` is one that was parsed.
std::string redirected_target(std::string_view target, std::string_view namenode_address);

}  // namespace tracebed::webhdfs
