#include "coordinator/namenode_server/webhdfs_server.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "coordinator/namenode_server/run_thread.h"
#include "coordinator/storage/block_locations.h"
#include "support/command.h"
#include "support/eventually.h"
#include "support/http.h"
#include "support/raw_connections.h"

namespace tracebed {
namespace {

using nlohmann::json;
using test::RunThread;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class WebHdfsServerTest : public testing::Test {
 protected:
  void SetUp() override { run_.preload("/data/part-0", 2500); }

  std::string ask(const std::string& method, const std::string& target,
                  const std::string& headers = {}) const {
    return test::http_exchange(server_.port(), test::http_request(method, target, headers));
  }
  json get(const std::string& path_and_operation) const {
    return json::parse(test::http_body(ask("GET", "/webhdfs/v1" + path_and_operation)));
  }
  static int status(const std::string& answer) {
    return answer.size() < 12 ? 0 : std::stoi(answer.substr(9, 3));
  }
  static std::string exception(const std::string& answer) {
    return json::parse(test::http_body(answer))["RemoteException"]["exception"];
  }
  static std::string location(const std::string& answer) {
    const std::size_t at = answer.find("Location: ") + 10;
    return answer.substr(at, answer.find("\r\n", at) - at);
  }
  // With connections from this address.
  std::string ask_from(const char* address, const std::string& method,
                       const std::string& target) const {
    const FileDescriptor socket = test::raw_connection(server_.port(), address);
    const std::string request = test::http_request(method, target);
    EXPECT_GT(::send(socket.number(), request.data(), request.size(), 0), 0);
    std::string answer;
    std::array<char, 4096> piece;
    for (ssize_t got = 1; got > 0;) {
      got = ::recv(socket.number(), piece.data(), piece.size(), 0);
      if (got > 0) answer.append(piece.data(), static_cast<std::size_t>(got));
    }
    return answer;
  }
  unsigned node_with_replica() {
    unsigned node = 0;
    run_.within([&](test::ServedNamenode& served) {
      const auto located =
          block_locations(served.namenode_.state(), "/data/part-0", 0, 1, {}, served.now_);
      node = located->blocks.at(0).nodes.at(0).value();
    });
    return node;
  }

  RunThread run_{6};
  WebHdfsServer server_{run_.gate(), {}, {"127.0.0.1", 8020}};
};

TEST_F(WebHdfsServerTest, FilesAndDirectoriesAreDescribed) {
  const json file = get("/data/part-0?op=GETFILESTATUS")["FileStatus"];
  EXPECT_EQ(file["length"], 2500);
  EXPECT_EQ(file["type"], "FILE");
  EXPECT_EQ(file["owner"], "alice");
  EXPECT_EQ(file["pathSuffix"], "");
  EXPECT_EQ(file["modificationTime"], test::epoch_at_start);
  const json entries = get("/data?op=LISTSTATUS")["FileStatuses"]["FileStatus"];
  ASSERT_EQ(entries.size(), 1u);
  EXPECT_EQ(entries[0]["pathSuffix"], "part-0");
  EXPECT_EQ(get("/data/part-0?op=LISTSTATUS")["FileStatuses"]["FileStatus"][0]["pathSuffix"], "");
  EXPECT_EQ(get("/?op=GETCONTENTSUMMARY")["ContentSummary"]["spaceConsumed"], 7500);
  EXPECT_EQ(get("/?op=GETHOMEDIRECTORY&user.name=bob")["Path"], "/user/bob");
  EXPECT_EQ(get("/?op=GETSTATUS")["FsStatus"]["capacity"], 6'000'000'000);
  EXPECT_EQ(get("/?op=GETSERVERDEFAULTS")["FsServerDefaults"]["checksumType"], "CRC32C");
  const json blocks =
      get("/data/part-0?op=GETFILEBLOCKLOCATIONS&offset=1024&length=1")["BlockLocations"];
  ASSERT_EQ(blocks["BlockLocation"].size(), 1u);
  EXPECT_EQ(blocks["BlockLocation"][0]["offset"], 1024);
  EXPECT_EQ(blocks["BlockLocation"][0]["hosts"].size(), 3u);
  EXPECT_EQ(get("/data/part-0?op=GET_BLOCK_LOCATIONS")["LocatedBlocks"]["fileLength"], 2500);
}

TEST_F(WebHdfsServerTest, LongDirectoriesAreListedWholeOrInPages) {
  run_.within([](test::ServedNamenode& served) {
    for (int i = 0; i < 2500; ++i) {
      served.call("", MakeDirectories{"/many/" + std::to_string(10'000 + i)});
    }
  });
  EXPECT_EQ(get("/many?op=LISTSTATUS")["FileStatuses"]["FileStatus"].size(), 2500u);
  const json page = get("/many?op=LISTSTATUS_BATCH&startAfter=11499")["DirectoryListing"];
  EXPECT_EQ(page["remainingEntries"], 0);
  EXPECT_EQ(page["partialListing"]["FileStatuses"]["FileStatus"].size(), 1000u);
}

TEST_F(WebHdfsServerTest, TheNamespaceIsChanged) {
  EXPECT_THAT(ask("PUT", "/webhdfs/v1/a/b?op=MKDIRS&permission=700&user.name=bob"),
              EndsWith("{\"boolean\":true}"));
  EXPECT_EQ(get("/a/b?op=GETFILESTATUS")["FileStatus"]["permission"], "700");
  EXPECT_EQ(get("/a/b?op=GETFILESTATUS")["FileStatus"]["owner"], "bob");
  EXPECT_THAT(ask("PUT", "/webhdfs/v1/a/b?op=RENAME&destination=/a/c"),
              EndsWith("{\"boolean\":true}"));
  EXPECT_EQ(status(ask("PUT", "/webhdfs/v1/a/c?op=RENAME&destination=/d&renameoptions=NONE")), 200);
  EXPECT_EQ(status(ask("PUT", "/webhdfs/v1/d?op=SETOWNER&owner=eve&group=g")), 200);
  EXPECT_EQ(status(ask("PUT", "/webhdfs/v1/d?op=SETPERMISSION&permission=711")), 200);
  EXPECT_EQ(status(ask("PUT", "/webhdfs/v1/d?op=SETTIMES&modificationtime=1700000005000")), 200);
  const json changed = get("/d?op=GETFILESTATUS")["FileStatus"];
  EXPECT_EQ(changed["owner"], "eve");
  EXPECT_EQ(changed["group"], "g");
  EXPECT_EQ(changed["permission"], "711");
  EXPECT_EQ(changed["modificationTime"], 1'700'000'005'000);
  EXPECT_THAT(ask("PUT", "/webhdfs/v1/data/part-0?op=SETREPLICATION&replication=2"),
              EndsWith("{\"boolean\":true}"));
  EXPECT_THAT(ask("POST", "/webhdfs/v1/data/part-0?op=TRUNCATE&newlength=1024"),
              EndsWith("{\"boolean\":true}"));
  EXPECT_THAT(ask("DELETE", "/webhdfs/v1/data/part-0?op=DELETE"), EndsWith("{\"boolean\":true}"));
  EXPECT_THAT(ask("DELETE", "/webhdfs/v1/data/part-0?op=DELETE"), EndsWith("{\"boolean\":false}"));
}

TEST_F(WebHdfsServerTest, ReadersAreSentToTheNearestReplica) {
  const unsigned node = node_with_replica();
  const std::string address = "127.0.1." + std::to_string(node + 1);
  const std::string answer =
      ask_from(address.c_str(), "GET", "/webhdfs/v1/data/part-0?op=OPEN&offset=5&length=3");
  EXPECT_EQ(status(answer), 307);
  EXPECT_EQ(location(answer), "http://" + address + ":" + std::to_string(9000 + node) +
                                  "/webhdfs/v1/data/part-0?op=OPEN&offset=5&length=3" +
                                  "&namenoderpcaddress=127.0.0.1%3A8020");
  EXPECT_THAT(answer, HasSubstr("Content-Length: 0\r\n"));
  const std::string as_json = ask("GET", "/webhdfs/v1/data/part-0?op=OPEN&noredirect=true");
  EXPECT_EQ(status(as_json), 200);
  EXPECT_THAT(json::parse(test::http_body(as_json))["Location"].get<std::string>(),
              StartsWith("http://127.0.1."));
  const std::string elsewhere =
      ask_from(address.c_str(), "GET",
               "/webhdfs/v1/data/part-0?op=OPEN&excludedatanodes=" + address + ":" +
                   std::to_string(9866 + node));
  EXPECT_EQ(status(elsewhere), 307);
  EXPECT_THAT(location(elsewhere), Not(StartsWith("http://" + address + ":")));
}

TEST_F(WebHdfsServerTest, WritersAreSentToTheirOwnDatanode) {
  for (unsigned node = 0; node < 6; ++node) {
    const std::string address = "127.0.1." + std::to_string(node + 1);
    EXPECT_THAT(location(ask_from(address.c_str(), "PUT", "/webhdfs/v1/new?op=CREATE")),
                StartsWith("http://" + address + ":"));
  }
  const std::string stranger = ask("PUT", "/webhdfs/v1/new?op=CREATE&overwrite=true");
  EXPECT_EQ(status(stranger), 307);
  EXPECT_THAT(location(stranger), HasSubstr("/webhdfs/v1/new?op=CREATE&overwrite=true"));
  EXPECT_EQ(status(ask("POST", "/webhdfs/v1/data/part-0?op=APPEND")), 307);
  EXPECT_EQ(status(ask("GET", "/webhdfs/v1/data/part-0?op=GETFILECHECKSUM")), 307);
}

TEST_F(WebHdfsServerTest, WhatADeadDatanodeHadIsReadElsewhere) {
  const unsigned node = node_with_replica();
  run_.within([&](test::ServedNamenode& served) { served.stop(NodeId(node)); });
  const std::string address = "127.0.1." + std::to_string(node + 1);
  for (const char* request : {"?op=OPEN", "?op=OPEN&offset=2499"}) {
    EXPECT_THAT(location(ask_from(address.c_str(), "GET",
                                  std::string("/webhdfs/v1/data/part-0") + request)),
                Not(StartsWith("http://" + address + ":")));
  }
  run_.within([&](test::ServedNamenode& served) {
    for (unsigned each = 0; each < 6; ++each) {
      if (served.is_up(NodeId(each))) served.stop(NodeId(each));
    }
  });
  const std::string answer = ask("PUT", "/webhdfs/v1/new?op=CREATE");
  EXPECT_EQ(status(answer), 403);
  EXPECT_EQ(exception(answer), "IOException");
}

// A client that waits for "100 Continue" sends nothing; one that does not is not listened to.
TEST_F(WebHdfsServerTest, ABodyIsNotReadHere) {
  const std::string expecting = ask("PUT", "/webhdfs/v1/new?op=CREATE",
                                    "Content-Length: 1000000000000\r\nExpect: 100-continue\r\n");
  EXPECT_EQ(status(expecting), 307);
  EXPECT_THAT(expecting, HasSubstr("Connection: close"));
  const std::string sending =
      test::http_exchange(server_.port(),
                          "PUT /webhdfs/v1/new?op=CREATE HTTP/1.1\r\nHost: x\r\n"
                          "Content-Length: 100000\r\n\r\n" +
                              std::string(100'000, 'x'));
  EXPECT_EQ(status(sending), 307);
  EXPECT_THAT(sending, EndsWith("\r\n\r\n")) << "the body is no second request";
}

TEST_F(WebHdfsServerTest, AConnectionServesOneRequestAfterTheOther) {
  const std::string keep = "PUT /webhdfs/v1/a?op=MKDIRS HTTP/1.1\r\n\r\n";
  const std::string last =
      "GET /webhdfs/v1/a?op=GETFILESTATUS HTTP/1.1\r\nConnection: close\r\n\r\n";
  const std::string answers = test::http_exchange(server_.port(), keep + keep + last);
  EXPECT_EQ(answers.find("HTTP/1.1 200 OK"), 0u);
  EXPECT_THAT(answers, HasSubstr("{\"boolean\":true}HTTP/1.1 200 OK"));
  EXPECT_THAT(answers, HasSubstr("\"type\":\"DIRECTORY\""));
}

TEST_F(WebHdfsServerTest, FailuresAreHadoops) {
  const auto expect = [&](const std::string& method, const std::string& target, int code,
                          const std::string& name) {
    const std::string answer = ask(method, target);
    EXPECT_EQ(status(answer), code) << target;
    EXPECT_EQ(exception(answer), name) << target;
  };
  expect("GET", "/webhdfs/v1/no?op=GETFILESTATUS", 404, "FileNotFoundException");
  expect("GET", "/webhdfs/v1/no?op=LISTSTATUS", 404, "FileNotFoundException");
  expect("GET", "/webhdfs/v1/no?op=OPEN", 404, "FileNotFoundException");
  expect("GET", "/webhdfs/v1/data/part-0?op=OPEN&offset=2500", 403, "IOException");
  expect("GET", "/webhdfs/v1/data/part-0?op=OPEN&offset=-1", 400, "IllegalArgumentException");
  expect("GET", "/webhdfs/v1/?op=GETXATTRS", 400, "UnsupportedOperationException");
  expect("GET", "/webhdfs/v1/?op=NOTHING", 400, "IllegalArgumentException");
  expect("GET", "/webhdfs/v1/", 400, "UnsupportedOperationException");
  expect("GET", "/other", 404, "FileNotFoundException");
  expect("GET", "/webhdfs/v1/a/../b?op=GETFILESTATUS", 400, "InvalidPathException");
  expect("PUT", "/webhdfs/v1/a?op=RENAME", 400, "IllegalArgumentException");
  expect("GET", "/webhdfs/v1/?op=LISTSTATUS&user.name=a&doas=b", 403, "AuthorizationException");
  expect("GET", "/webhdfs/v1/%zz?op=LISTSTATUS", 400, "IllegalArgumentException");
  expect("PUT", "/webhdfs/v1/data/part-0/x?op=MKDIRS", 403, "ParentNotDirectoryException");
  EXPECT_EQ(status(ask("OPTIONS", "/webhdfs/v1/?op=LISTSTATUS")), 405);
  EXPECT_EQ(status(test::http_exchange(server_.port(), "nonsense\r\n\r\n")), 400);
  run_.end_run();
  expect("GET", "/webhdfs/v1/?op=LISTSTATUS", 403, "RetriableException");
  expect("PUT", "/webhdfs/v1/a?op=MKDIRS", 403, "RetriableException");
}

TEST_F(WebHdfsServerTest, PathsMayHaveAnyCharacters) {
  for (const std::string name : {"a%20b", "50%25", "%C3%A9%E2%82%AC", "x%3Fy%23z", "%22q%5C"}) {
    EXPECT_EQ(status(ask("PUT", "/webhdfs/v1/" + name + "?op=MKDIRS")), 200) << name;
    EXPECT_EQ(status(ask("GET", "/webhdfs/v1/" + name + "?op=GETFILESTATUS")), 200) << name;
  }
  std::string deep;
  while (deep.size() < 7'800) deep += "/" + std::string(99, 'd');
  EXPECT_EQ(status(ask("PUT", "/webhdfs/v1" + deep + "?op=MKDIRS")), 200);
  EXPECT_EQ(get(deep + "?op=GETFILESTATUS")["FileStatus"]["type"], "DIRECTORY");
  EXPECT_NE(status(ask("PUT", "/webhdfs/v1/" + std::string(8'100, 'x') + "?op=MKDIRS")), 200);
  EXPECT_EQ(status(ask("GET", "/webhdfs/v1/" + std::string(70'000, 'x'))), 400);
}

TEST_F(WebHdfsServerTest, CurlAsksAndUploads) {
  if (!test::has_program("curl")) GTEST_SKIP() << "curl is not installed";
  const std::string url = "'http://127.0.0.1:" + std::to_string(server_.port()) + "/webhdfs/v1";
  const auto curl = [&](const std::string& arguments) {
    return test::run_command("curl -sS --max-time 60 " + arguments).output;
  };
  EXPECT_THAT(curl(url + "/?op=LISTSTATUS'"), HasSubstr("\"pathSuffix\":\"data\""));
  EXPECT_THAT(curl("-X PUT " + url + "/c%20d?op=MKDIRS'"), HasSubstr("true"));
  EXPECT_THAT(curl("-i -X DELETE " + url + "/c%20d?op=DELETE'"), HasSubstr("200 OK"));
  EXPECT_THAT(test::run_command("head -c 3000000 /dev/zero | curl -sS --max-time 60 -i -T - " +
                                url + "/new?op=CREATE'")
                  .output,
              HasSubstr("307 Temporary Redirect"));
}

// Debian's python3-fsspec; what reads data is for a datanode.
TEST_F(WebHdfsServerTest, FsspecLooksAndChanges) {
  if (test::run_command("/usr/bin/python3 -c 'import fsspec, requests'").status != 0) {
    GTEST_SKIP() << "python3-fsspec is not installed";
  }
  const auto result = test::run_command(
      "timeout 60 /usr/bin/python3 - <<'EOF'\n"
      "import fsspec\n"
      "fs = fsspec.filesystem('webhdfs', host='127.0.0.1', port=" +
      std::to_string(server_.port()) +
      ", user='carol', use_listings_cache=False)\n"
      "print(fs.ls('/data', detail=False))\n"
      "print(fs.info('/data/part-0')['size'], fs.exists('/none'), fs.isdir('/data'))\n"
      "fs.mkdir('/x y')\n"
      "fs.mv('/x y', '/z')\n"
      "fs.chmod('/z', '700')\n"
      "print(fs.info('/z')['owner'], fs.info('/z')['permission'], fs.home_directory())\n"
      "print(fs.content_summary('/')['fileCount'])\n"
      "fs.rm('/z', recursive=True)\n"
      "print(fs.exists('/z'))\n"
      "EOF");
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.output, "['/data/part-0']\n2500 False True\ncarol 700 /user/carol\n1\nFalse\n");
}

}  // namespace
}  // namespace tracebed
