// Targets of requests over WebHDFS. The first byte of an input selects the method.
#include <string_view>

#include "core/check.h"
#include "fuzz/fuzz_target.h"
#include "protocol/webhdfs/web_json.h"
#include "protocol/webhdfs/web_request.h"

namespace tracebed::fuzz {

std::vector<std::string> seeds() {
  return {"0/webhdfs/v1/user/a%20b?op=OPEN&offset=1024&length=512&user.name=alice&noredirect=true",
          "0/webhdfs/v1/?op=LISTSTATUS_BATCH&startAfter=x",
          "0/webhdfs/v1/a?op=CHECKACCESS&fsaction=r-x",
          "1/webhdfs/v1/a?op=CREATE&overwrite=true&blocksize=1048576&replication=2&permission=644&"
          "buffersize=4096&createparent=true&createflag=CREATE,OVERWRITE&unmaskedpermission=755&"
          "excludedatanodes=h:1,h:2&namenoderpcaddress=h:8020",
          "1/webhdfs/v1/a?op=RENAME&destination=/b%C3%A9&renameoptions=OVERWRITE&doas=bob",
          "1/webhdfs/v1/a?op=SETTIMES&modificationtime=-1&accesstime=1700000000000",
          "1/webhdfs/v1/a?op=SETOWNER&owner=o&group=g",
          "2/webhdfs/v1/a?op=CONCAT&sources=/x,/y",
          "2/webhdfs/v1/a?op=TRUNCATE&newlength=3",
          "3/webhdfs/v1/a+b?op=DELETE&recursive=false"};
}

}  // namespace tracebed::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tracebed::webhdfs;
  if (size == 0) return 0;
  const auto method = static_cast<HttpMethod>(data[0] % 4);
  const std::string_view target(reinterpret_cast<const char*>(data) + 1, size - 1);
  const auto request = parse_web_request(method, target);
  if (!request) {
    const int status = http_status(request.error().exception_class);
    TRACEBED_CHECK(status == 400 || status == 404, "a bad request is the client's fault");
    TRACEBED_CHECK(!remote_exception_json(request.error()).empty(), "a failure has a body");
    return 0;
  }
  TRACEBED_CHECK(request->path.starts_with('/'), "paths are absolute");
  TRACEBED_CHECK(!path_json(request->path).empty(), "every path is a JSON text");
  WebRequest expected = *request;
  expected.parameters.no_redirect.reset();
  expected.parameters.namenode_address = "n:1";
  const auto redirected =
      parse_web_request(method, redirected_target(target, "n:1"), {.target_bytes_max = 1 << 20});
  TRACEBED_CHECK(redirected && *redirected == expected, "a redirection keeps the request");
  return 0;
}
