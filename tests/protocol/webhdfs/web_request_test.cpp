#include "protocol/webhdfs/web_request.h"

#include <gtest/gtest.h>
#include <vector>

namespace tracebed::webhdfs {
namespace {

WebRequest parsed(HttpMethod method, std::string_view target) {
  const auto request = parse_web_request(method, target);
  EXPECT_TRUE(request) << target << ": " << (request ? "" : request.error().message);
  return request ? *request : WebRequest();
}

WebFailure failure(HttpMethod method, std::string_view target, const WebLimits& limits = {}) {
  const auto request = parse_web_request(method, target, limits);
  EXPECT_FALSE(request) << target;
  return request ? WebFailure() : request.error();
}

TEST(WebRequests, HaveAPathAnOperationAndParameters) {
  const WebRequest request =
      parsed(HttpMethod::get, "/webhdfs/v1/user/a?op=OPEN&offset=1024&length=512&user.name=alice");
  EXPECT_EQ(request.operation, WebOperation::open);
  EXPECT_EQ(request.path, "/user/a");
  WebParameters expected;
  expected.offset = 1024;
  expected.length = 512;
  expected.user_name = "alice";
  EXPECT_EQ(request.parameters, expected);
}

TEST(WebRequests, PathsAreDecodedAndKeepTheirComponents) {
  const auto path = [](std::string_view text) {
    return parsed(HttpMethod::get, "/webhdfs/v1" + std::string(text) + "?op=GETFILESTATUS").path;
  };
  EXPECT_EQ(path(""), "/");
  EXPECT_EQ(path("/"), "/");
  EXPECT_EQ(path("/a%20b"), "/a b");
  EXPECT_EQ(path("/50%25"), "/50%");
  EXPECT_EQ(path("/a+b"), "/a+b");
  EXPECT_EQ(path("/%C3%A9t%c3%a9"), "/été");
  EXPECT_EQ(path("/a/../b//c"), "/a/../b//c");
  EXPECT_EQ(path("/" + std::string(8000, 'x')).size(), 8001u);
}

TEST(WebRequests, TargetsOutsideWebhdfsAreNotFound) {
  for (const char* target :
       {"", "/", "/webhdfs/v2/a?op=OPEN", "/webhdfs/v1a?op=OPEN", "webhdfs/v1"}) {
    EXPECT_EQ(failure(HttpMethod::get, target).exception_class, "java.io.FileNotFoundException");
  }
}

TEST(WebRequests, BadEscapesAreIllegal) {
  EXPECT_EQ(failure(HttpMethod::get, "/webhdfs/v1/%zz?op=OPEN"),
            illegal_argument("The path has a bad escape"));
  EXPECT_EQ(failure(HttpMethod::get, "/webhdfs/v1/a?op=OPEN&x=%4"),
            illegal_argument("The query has a bad escape in \"x=%4\""));
}

TEST(WebRequests, LongTargetsAreIllegal) {
  const std::string target = "/webhdfs/v1/a?op=OPEN";
  EXPECT_EQ(failure(HttpMethod::get, target, {.target_bytes_max = 20}),
            illegal_argument("The request has more than 20 bytes"));
  EXPECT_TRUE(parse_web_request(HttpMethod::get, target, {.target_bytes_max = 21}));
}

TEST(WebRequests, OperationsBelongToTheirMethod) {
  for (int number = 0; number <= static_cast<int>(WebOperation::remove); ++number) {
    const auto operation = static_cast<WebOperation>(number);
    const std::string target = "/webhdfs/v1/a?op=" + std::string(operation_name(operation));
    for (const HttpMethod method :
         {HttpMethod::get, HttpMethod::put, HttpMethod::post, HttpMethod::remove}) {
      const auto request = parse_web_request(method, target);
      ASSERT_EQ(request.has_value(), method == method_of(operation)) << target;
      if (!request) continue;
      EXPECT_EQ(request->operation, operation);
    }
  }
}

TEST(WebRequests, NamesOfOperationsMayHaveLettersOfBothCases) {
  EXPECT_EQ(parsed(HttpMethod::get, "/webhdfs/v1/a?op=listStatus").operation,
            WebOperation::list_status);
}

TEST(WebRequests, UnknownOperationsAreIllegalAndThoseOfHadoopUnsupported) {
  EXPECT_EQ(failure(HttpMethod::put, "/webhdfs/v1/a?op=fly"),
            illegal_argument("Invalid value for webhdfs parameter \"op\": No enum constant "
                             "org.apache.hadoop.hdfs.web.resources.PutOpParam.Op.FLY"));
  EXPECT_EQ(failure(HttpMethod::put, "/webhdfs/v1/a?op=SETACL"),
            unsupported_operation("op=SETACL is not supported"));
  EXPECT_EQ(failure(HttpMethod::get, "/webhdfs/v1/a"),
            unsupported_operation("op=NULL is not supported"));
}

TEST(WebRequests, TheFirstOfEqualParametersCountsAndNamesMayHaveBothCases) {
  const WebRequest request =
      parsed(HttpMethod::get, "/webhdfs/v1/a?op=OPEN&OFFSET=3&offset=4&op=LISTSTATUS&unknown=1&&x");
  EXPECT_EQ(request.operation, WebOperation::open);
  EXPECT_EQ(request.parameters.offset, 3);
}

TEST(WebRequests, TheValueNullIsNone) {
  EXPECT_EQ(parsed(HttpMethod::get, "/webhdfs/v1/a?op=OPEN&offset=null").parameters,
            WebParameters());
}

TEST(WebRequests, EveryParameterHasItsPlace) {
  const WebRequest request = parsed(
      HttpMethod::put,
      "/webhdfs/v1/a?op=CREATE&accesstime=-1&blocksize=1048576&buffersize=1&createflag=create,"
      "OVERWRITE&createparent=true&destination=/b%20c&doas=bob&excludedatanodes=h1:1,h2:2&"
      "fsaction=r-x&group=g&length=0&modificationtime=1700000000000&namenoderpcaddress=n:8020&"
      "newlength=7&noredirect=TRUE&offset=%2B9223372036854775807&overwrite=false&owner=o&"
      "permission=1777&recursive=True&renameoptions=OVERWRITE&replication=32767&"
      "sources=/x,/y&startAfter=z&unmaskedpermission=0&user.name=a_b.c-1$");
  WebParameters expected;
  expected.access_time = -1;
  expected.block_size = 1048576;
  expected.buffer_size = 1;
  expected.create_flags = 3;
  expected.create_parent = true;
  expected.destination = "/b c";
  expected.doas = "bob";
  expected.excluded_datanodes = {"h1:1", "h2:2"};
  expected.action = 5;
  expected.group = "g";
  expected.length = 0;
  expected.modification_time = 1'700'000'000'000;
  expected.namenode_address = "n:8020";
  expected.new_length = 7;
  expected.no_redirect = true;
  expected.offset = 9223372036854775807;
  expected.overwrite = false;
  expected.owner = "o";
  expected.permission = 01777;
  expected.recursive = true;
  expected.overwrites_destination = true;
  expected.replication = 32767;
  expected.sources = {"/x", "/y"};
  expected.start_after = "z";
  expected.unmasked_permission = 0;
  expected.user_name = "a_b.c-1$";
  EXPECT_EQ(request.parameters, expected);
}

struct BadValue {
  std::string pair;
  std::string reason;
};

TEST(WebRequests, RefuseValuesOutOfTypeOrRangeInHadoopsWords) {
  const std::string user_domain = " does not belong to the domain ^[A-Za-z_][A-Za-z0-9._-]*[$]?$";
  const std::vector<BadValue> values = {
      {"offset=x", "Failed to parse \"x\" as a radix-10 long integer."},
      {"offset=", "Failed to parse \"\" as a radix-10 long integer."},
      {"offset=1x", "Failed to parse \"1x\" as a radix-10 long integer."},
      {"offset=+-1", "Failed to parse \" -1\" as a radix-10 long integer."},
      {"offset=%2B-1", "Failed to parse \"+-1\" as a radix-10 long integer."},
      {"offset=9223372036854775808",
       "Failed to parse \"9223372036854775808\" as a radix-10 long integer."},
      {"offset=-1", "Invalid parameter range: offset = -1 < 0"},
      {"length=-1", "Invalid parameter range: length = -1 < 0"},
      {"buffersize=0", "Invalid parameter range: buffersize = 0 < 1"},
      {"buffersize=2147483648", "Failed to parse \"2147483648\" as a radix-10 integer."},
      {"blocksize=0", "Invalid parameter range: blocksize = 0 < 1"},
      {"replication=0", "Invalid parameter range: replication = 0 < 1"},
      {"replication=32768", "Failed to parse \"32768\" as a radix-10 short integer."},
      {"permission=8", "Failed to parse \"8\" as a radix-8 short integer."},
      {"permission=2000", "Invalid parameter range: permission = 2000 > 1777"},
      {"permission=-1", "Invalid parameter range: permission = -1 < 0"},
      {"unmaskedpermission=2000", "Invalid parameter range: unmaskedpermission = 2000 > 1777"},
      {"modificationtime=-2", "Invalid parameter range: modificationtime = -2 < -1"},
      {"accesstime=-2", "Invalid parameter range: accesstime = -2 < -1"},
      {"newlength=-1", "Invalid parameter range: newlength = -1 < 0"},
      {"overwrite=yes", "Failed to parse \"yes\" to Boolean."},
      {"recursive=", "Failed to parse \"\" to Boolean."},
      {"destination=b", "Invalid parameter value: destination = \"b\" is not an absolute path."},
      {"createflag=CREATE,FLY", "No enum constant org.apache.hadoop.fs.CreateFlag.CREATE,FLY"},
      {"renameoptions=x", "No enum constant org.apache.hadoop.fs.Options.Rename.x"},
      {"fsaction=rw", "Invalid value: \"rw\" does not belong to the domain [r-][w-][x-]"},
      {"fsaction=wrx", "Invalid value: \"wrx\" does not belong to the domain [r-][w-][x-]"},
      {"user.name=1a", "Invalid value: \"1a\"" + user_domain},
      {"user.name=a/b", "Invalid value: \"a/b\"" + user_domain},
      {"doas=$", "Invalid value: \"$\"" + user_domain}};
  for (const BadValue& bad : values) {
    const std::string name = bad.pair.substr(0, bad.pair.find('='));
    EXPECT_EQ(
        failure(HttpMethod::get, "/webhdfs/v1/a?op=OPEN&" + bad.pair),
        illegal_argument("Invalid value for webhdfs parameter \"" + name + "\": " + bad.reason))
        << bad.pair;
  }
}

TEST(WebRequests, ARedirectionKeepsAllButWhatConcernsIt) {
  EXPECT_EQ(redirected_target("/webhdfs/v1/a%20b?op=OPEN&noredirect=true&offset=5&"
                              "namenoderpcaddress=evil&user.name=u",
                              "[::1]:8020"),
            "/webhdfs/v1/a%20b?op=OPEN&offset=5&user.name=u&"
            "namenoderpcaddress=%5B%3A%3A1%5D%3A8020");
  EXPECT_EQ(redirected_target("/webhdfs/v1/a", "n:1"), "/webhdfs/v1/a?namenoderpcaddress=n%3A1");
}

// A datanode gets the escaped name as the namenode did.
TEST(WebRequests, ARedirectionDropsNamesInAnyForm) {
  EXPECT_EQ(redirected_target("/webhdfs/v1/a?%6eoRedirect=true&op=OPEN", "n"),
            "/webhdfs/v1/a?op=OPEN&namenoderpcaddress=n");
}

}  // namespace
}  // namespace tracebed::webhdfs
