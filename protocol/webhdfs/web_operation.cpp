#include "protocol/webhdfs/web_operation.h"

#include <algorithm>
#include <array>
#include <string>

#include "core/check.h"

namespace tracebed::webhdfs {
namespace {

struct Entry {
  WebOperation operation;
  HttpMethod method;
  std::string_view name;
};
constexpr auto operations = std::to_array<Entry>({
    {WebOperation::open, HttpMethod::get, "OPEN"},
    {WebOperation::get_file_status, HttpMethod::get, "GETFILESTATUS"},
    {WebOperation::get_file_link_status, HttpMethod::get, "GETFILELINKSTATUS"},
    {WebOperation::list_status, HttpMethod::get, "LISTSTATUS"},
    {WebOperation::list_status_batch, HttpMethod::get, "LISTSTATUS_BATCH"},
    {WebOperation::get_content_summary, HttpMethod::get, "GETCONTENTSUMMARY"},
    {WebOperation::get_file_checksum, HttpMethod::get, "GETFILECHECKSUM"},
    {WebOperation::get_home_directory, HttpMethod::get, "GETHOMEDIRECTORY"},
    {WebOperation::get_file_block_locations, HttpMethod::get, "GETFILEBLOCKLOCATIONS"},
    {WebOperation::get_block_locations, HttpMethod::get, "GET_BLOCK_LOCATIONS"},
    {WebOperation::check_access, HttpMethod::get, "CHECKACCESS"},
    {WebOperation::get_server_defaults, HttpMethod::get, "GETSERVERDEFAULTS"},
    {WebOperation::get_status, HttpMethod::get, "GETSTATUS"},
    {WebOperation::create, HttpMethod::put, "CREATE"},
    {WebOperation::mkdirs, HttpMethod::put, "MKDIRS"},
    {WebOperation::rename, HttpMethod::put, "RENAME"},
    {WebOperation::set_replication, HttpMethod::put, "SETREPLICATION"},
    {WebOperation::set_owner, HttpMethod::put, "SETOWNER"},
    {WebOperation::set_permission, HttpMethod::put, "SETPERMISSION"},
    {WebOperation::set_times, HttpMethod::put, "SETTIMES"},
    {WebOperation::append, HttpMethod::post, "APPEND"},
    {WebOperation::concat, HttpMethod::post, "CONCAT"},
    {WebOperation::truncate, HttpMethod::post, "TRUNCATE"},
    {WebOperation::remove, HttpMethod::remove, "DELETE"},
});

struct UnsupportedName {
  HttpMethod method;
  std::string_view name;
};
constexpr auto unsupported = std::to_array<UnsupportedName>({
    {HttpMethod::get, "NULL"},
    {HttpMethod::get, "GETACLSTATUS"},
    {HttpMethod::get, "GETALLSTORAGEPOLICY"},
    {HttpMethod::get, "GETDELEGATIONTOKEN"},
    {HttpMethod::get, "GETECCODECS"},
    {HttpMethod::get, "GETECPOLICIES"},
    {HttpMethod::get, "GETECPOLICY"},
    {HttpMethod::get, "GETLINKTARGET"},
    {HttpMethod::get, "GETQUOTAUSAGE"},
    {HttpMethod::get, "GETSNAPSHOTDIFF"},
    {HttpMethod::get, "GETSNAPSHOTDIFFLISTING"},
    {HttpMethod::get, "GETSNAPSHOTLIST"},
    {HttpMethod::get, "GETSNAPSHOTTABLEDIRECTORYLIST"},
    {HttpMethod::get, "GETSTORAGEPOLICY"},
    {HttpMethod::get, "GETTRASHROOT"},
    {HttpMethod::get, "GETTRASHROOTS"},
    {HttpMethod::get, "GETXATTRS"},
    {HttpMethod::get, "LISTXATTRS"},
    {HttpMethod::put, "NULL"},
    {HttpMethod::put, "ALLOWSNAPSHOT"},
    {HttpMethod::put, "CANCELDELEGATIONTOKEN"},
    {HttpMethod::put, "CREATESNAPSHOT"},
    {HttpMethod::put, "CREATESYMLINK"},
    {HttpMethod::put, "DISALLOWSNAPSHOT"},
    {HttpMethod::put, "DISABLEECPOLICY"},
    {HttpMethod::put, "ENABLEECPOLICY"},
    {HttpMethod::put, "MODIFYACLENTRIES"},
    {HttpMethod::put, "REMOVEACL"},
    {HttpMethod::put, "REMOVEACLENTRIES"},
    {HttpMethod::put, "REMOVEDEFAULTACL"},
    {HttpMethod::put, "REMOVEXATTR"},
    {HttpMethod::put, "RENAMESNAPSHOT"},
    {HttpMethod::put, "RENEWDELEGATIONTOKEN"},
    {HttpMethod::put, "SATISFYSTORAGEPOLICY"},
    {HttpMethod::put, "SETACL"},
    {HttpMethod::put, "SETECPOLICY"},
    {HttpMethod::put, "SETQUOTA"},
    {HttpMethod::put, "SETQUOTABYSTORAGETYPE"},
    {HttpMethod::put, "SETSTORAGEPOLICY"},
    {HttpMethod::put, "SETXATTR"},
    {HttpMethod::post, "NULL"},
    {HttpMethod::post, "UNSETECPOLICY"},
    {HttpMethod::post, "UNSETSTORAGEPOLICY"},
    {HttpMethod::remove, "NULL"},
    {HttpMethod::remove, "DELETESNAPSHOT"},
});

const Entry& entry_of(WebOperation operation) {
  const auto* found = std::find_if(operations.begin(), operations.end(), [&](const Entry& entry) {
    return entry.operation == operation;
  });
  TRACEBED_CHECK(found != operations.end(), "every operation has a name");
  return *found;
}

std::string_view java_class(HttpMethod method) {
  switch (method) {
    case HttpMethod::get:
      return "GetOpParam";
    case HttpMethod::put:
      return "PutOpParam";
    case HttpMethod::post:
      return "PostOpParam";
    case HttpMethod::remove:
      return "DeleteOpParam";
  }
  return "";
}

std::string upper_case(std::string_view text) {
  std::string upper(text);
  for (char& c : upper) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return upper;
}

}  // namespace

std::string_view operation_name(WebOperation operation) {
  return entry_of(operation).name;
}

HttpMethod method_of(WebOperation operation) {
  return entry_of(operation).method;
}

Result<WebOperation, WebFailure> web_operation(HttpMethod method, std::string_view name) {
  const std::string upper = upper_case(name);
  const auto has_name = [&](const auto& entry) {
    return entry.method == method && entry.name == upper;
  };
  const auto* found = std::find_if(operations.begin(), operations.end(), has_name);
  if (found != operations.end()) return found->operation;
  if (std::any_of(unsupported.begin(), unsupported.end(), has_name)) {
    return unsupported_operation("op=" + upper + " is not supported");
  }
  return illegal_argument(
      "Invalid value for webhdfs parameter \"op\": No enum constant "
      "org.apache.hadoop.hdfs.web.resources." +
      std::string(java_class(method)) + ".Op." + upper);
}

bool is_redirected(WebOperation operation) {
  return operation == WebOperation::open || operation == WebOperation::create ||
         operation == WebOperation::append || operation == WebOperation::get_file_checksum;
}

}  // namespace tracebed::webhdfs
