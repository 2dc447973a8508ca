// WebHDFS of datanodes, as curl and Debian's `hdfs` use it, in a whole cluster.
#include <gmock/gmock.h>

#include "agents/datanode_web/storage_cluster.h"
#include "coordinator/namenode_server/datanode_ids.h"
#include "core/block_content.h"
#include "hdfs_client/dead_datanodes.h"
#include "hdfs_client/file_reader.h"
#include "hdfs_client/file_writer.h"
#include "hdfs_client/remote_checksum.h"
#include "support/command.h"
#include "support/http.h"
#include "support/raw_connections.h"

namespace tracebed::test {
namespace {

using std::chrono::milliseconds;
using testing::HasSubstr;

class DatanodeWeb : public testing::Test {
 protected:
  // Bytes that are no generated block's.
  std::string make_file(std::size_t bytes) {
    std::string text(bytes, '\0');
    BlockContent(42).fill(7, std::as_writable_bytes(std::span(text)));
    write_file(folder_.file("source"), text);
    return text;
  }
  std::string url(const std::string& path_and_operation) const {
    return "'" + cluster_.webhdfs() + "/webhdfs/v1" + path_and_operation + "&user.name=alice'";
  }
  std::string curl(const std::string& arguments) const {
    const CommandResult result = run_command("curl -sS --max-time 60 " + arguments);
    EXPECT_EQ(result.status, 0) << result.output;
    return result.output;
  }
  void put(const std::string& path, const std::string& parameters = "") {
    EXPECT_THAT(curl("-i -L -T " + folder_.file("source") + " " +
                     url(path + "?op=CREATE&blocksize=1048576" + parameters)),
                HasSubstr("HTTP/1.1 201"));
  }
  std::string open(const std::string& path, const std::string& parameters = "") {
    const std::string result = folder_.file("result");
    curl("-L -o " + result + " " + url(path + "?op=OPEN" + parameters));
    return contents(result);
  }
  // Of datanode 0, which is spoken to directly.
  std::string exchange(const std::string& request) {
    const FileDescriptor socket = connection();
    send(socket, request);
    return receive_all(socket);
  }
  FileDescriptor connection() {
    FileDescriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(cluster_.web(0).port());
    ::inet_pton(AF_INET, StorageCluster::address(0).c_str(), &address.sin_addr);
    EXPECT_EQ(
        ::connect(socket.number(), reinterpret_cast<const sockaddr*>(&address), sizeof(address)),
        0);
    return socket;
  }
  static void send(const FileDescriptor& socket, const std::string& text) {
    (void)::send(socket.number(), text.data(), text.size(), MSG_NOSIGNAL);
  }
  static std::string receive_all(const FileDescriptor& socket) {
    std::string answer;
    std::array<char, 4'096> piece;
    for (ssize_t got = 1; got > 0;) {
      got = ::recv(socket.number(), piece.data(), piece.size(), 0);
      if (got > 0) answer.append(piece.data(), static_cast<std::size_t>(got));
    }
    return answer;
  }
  std::string head(const std::string& method, const std::string& path_and_operation,
                   const std::string& headers = "") const {
    return method + " /webhdfs/v1" + path_and_operation +
           "&user.name=alice HTTP/1.1\r\nHost: x\r\n" + headers + "Connection: close\r\n\r\n";
  }

  TemporaryFolder folder_;
  StorageCluster cluster_;
};

TEST_F(DatanodeWeb, StoresWhatCurlSendsAndSendsItBack) {
  const std::string text = make_file(3'000'001);
  put("/dir/a%20b");
  EXPECT_TRUE(open("/dir/a%20b") == text);
  EXPECT_EQ(open("/dir/a%20b", "&offset=1048570&length=20"), text.substr(1'048'570, 20));
  EXPECT_EQ(open("/dir/a%20b", "&offset=3000000"), text.substr(3'000'000));
  EXPECT_EQ(open("/dir/a%20b", "&offset=2999999&length=100"), text.substr(2'999'999));
  EXPECT_EQ(open("/dir/a%20b", "&length=0"), "");
}

TEST_F(DatanodeWeb, AnswersAsHadoopDoes) {
  make_file(10);
  const std::string answer =
      curl("-i -L -T " + folder_.file("source") + " " + url("/new?op=CREATE"));
  EXPECT_THAT(answer, HasSubstr("HTTP/1.1 307"));
  EXPECT_THAT(answer, HasSubstr("HTTP/1.1 201 Created"));
  EXPECT_THAT(answer,
              HasSubstr("Location: webhdfs://" + cluster_.namenode_endpoint().text() + "/new\r\n"));
  const std::string again =
      curl("-i -L -T " + folder_.file("source") + " " + url("/new?op=CREATE"));
  EXPECT_THAT(again, HasSubstr("HTTP/1.1 403"));
  EXPECT_THAT(again, HasSubstr("\"exception\":\"FileAlreadyExistsException\""));
  put("/new", "&overwrite=true");
}

TEST_F(DatanodeWeb, AppendsChunkedBodies) {
  const std::string text = make_file(1'500'000);
  put("/file");
  const std::string appended =
      curl("-i -L -X POST -H 'Transfer-Encoding: chunked' --data-binary @" +
           folder_.file("source") + " " + url("/file?op=APPEND"));
  EXPECT_THAT(appended, HasSubstr("HTTP/1.1 200 OK"));
  EXPECT_TRUE(open("/file") == text + text);
}

TEST_F(DatanodeWeb, HasTheChecksumThatTheNativeProtocolHas) {
  make_file(2'500'000);
  put("/file");
  const std::string answer = curl("-L " + url("/file?op=GETFILECHECKSUM"));
  hdfs::NamenodeClient namenode(cluster_.namenode_endpoint(), {.user = "alice"});
  hdfs::DeadDatanodes dead;
  const auto native = hdfs::remote_file_checksum(namenode, dead, "/file", {});
  ASSERT_TRUE(native) << native.error().message;
  EXPECT_THAT(answer, HasSubstr(native->hexadecimal()));
  EXPECT_THAT(answer, HasSubstr(native->algorithm()));
}

TEST_F(DatanodeWeb, GoesOnReadingWhenADatanodeIsGone) {
  const std::string text = make_file(3'000'000);
  put("/file");
  ASSERT_TRUE(eventually([&] { return cluster_.has_replicas("/file", 3); }));
  cluster_.stop(1);
  cluster_.stop(2);
  EXPECT_TRUE(open("/file") == text);
}

TEST_F(DatanodeWeb, RefusesWhatIsNotItsToDo) {
  EXPECT_THAT(exchange(head("GET", "/?op=LISTSTATUS")), HasSubstr("UnsupportedOperationException"));
  // It asks its own namenode, whatever the client names.
  EXPECT_THAT(exchange(head("GET", "/a?op=OPEN&namenoderpcaddress=127.0.0.1:1")),
              HasSubstr("FileNotFoundException"));
  EXPECT_THAT(exchange(head("GET", "/a?op=OPEN&doas=bob")), HasSubstr("AuthorizationException"));
  EXPECT_THAT(exchange(head("GET", "/a?op=OPEN")), HasSubstr("FileNotFoundException"));
  EXPECT_THAT(exchange(head("DELETE", "/a?op=NOSUCH")), HasSubstr("HTTP/1.1 400"));
  EXPECT_THAT(exchange(head("BREW", "/a?op=OPEN")), HasSubstr("HTTP/1.1 405"));
  EXPECT_THAT(exchange("nonsense\r\n\r\n"), HasSubstr("HTTP/1.1 400"));
  EXPECT_THAT(exchange(head("PUT", "/a?op=CREATE", "Transfer-Encoding: chunked\r\n") + "zz\r\n"),
              HasSubstr("HTTP/1.1 400"));
  make_file(10);
  put("/ten");
  EXPECT_THAT(exchange(head("GET", "/ten?op=OPEN&offset=10")), HasSubstr("HTTP/1.1 403"));
}

TEST_F(DatanodeWeb, ContinuesWhenTheFileIsOpen) {
  const FileDescriptor socket = connection();
  send(socket, head("PUT", "/file?op=CREATE", "Content-Length: 5\r\nExpect: 100-continue\r\n"));
  const std::string expected = "HTTP/1.1 100 Continue\r\n\r\n";
  std::string go_on(expected.size(), '\0');
  ASSERT_EQ(::recv(socket.number(), go_on.data(), go_on.size(), MSG_WAITALL),
            static_cast<ssize_t>(go_on.size()));
  EXPECT_EQ(go_on, expected);
  send(socket, "hello");
  EXPECT_THAT(receive_all(socket), HasSubstr("HTTP/1.1 201"));
  EXPECT_EQ(open("/file"), "hello");
}

// A truncated upload never looks like a whole file.
TEST_F(DatanodeWeb, LeavesAFileOpenWhoseUploadBroke) {
  {
    const FileDescriptor socket = connection();
    send(socket, head("PUT", "/file?op=CREATE", "Content-Length: 100\r\n") + "half of it");
  }
  hdfs::NamenodeClient namenode(cluster_.namenode_endpoint(), {.user = "alice"});
  ASSERT_TRUE(eventually([&] {
    const auto info = namenode.file_info("/file");
    return info && info->has_value();
  }));
  hdfs::pb::IsFileClosedRequest request;
  request.set_src("/file");
  EXPECT_FALSE(namenode.call(request)->result());
}

TEST_F(DatanodeWeb, FailsWithoutANamenode) {
  cluster_.web(0).set_namenode(std::nullopt);
  EXPECT_THAT(exchange(head("GET", "/a?op=OPEN")), HasSubstr("HTTP/1.1 403"));
}

// Programs that share no code with this testbed.
TEST_F(DatanodeWeb, StoresFilesThatDebiansHdfsReads) {
  if (!has_program("hdfs")) GTEST_SKIP() << "hdfs-cli is not installed";
  const std::string text = make_file(2'500'000);
  put("/file");
  const std::string hdfs =
      "HADOOP_USER_NAME=alice HADOOP_NAMENODE=" + cluster_.namenode_endpoint().text() +
      " timeout 60 hdfs ";
  const std::string result = folder_.file("got");
  const CommandResult got = run_command(hdfs + "get /file " + result);
  ASSERT_EQ(got.status, 0) << got.output;
  EXPECT_TRUE(contents(result) == text);
  const CommandResult stored = run_command(hdfs + "put " + result + " /other");
  ASSERT_EQ(stored.status, 0) << stored.output;
  EXPECT_TRUE(open("/other") == text);
  const CommandResult sum = run_command(hdfs + "checksum /file");
  const std::string answer = curl("-L " + url("/file?op=GETFILECHECKSUM"));
  const std::string md5 = sum.output.substr(0, 32);
  EXPECT_THAT(answer, HasSubstr(md5)) << sum.output;
}

// Cut off from the namenode only: it is dead there, and still serves whoever knows of it.
TEST(PartitionedDatanode, ServesReadersAndReturns) {
  DatanodeIntervals quick;
  quick.heartbeat = milliseconds(100);
  quick.recheck = milliseconds(500);
  StorageCluster cluster(3, quick);
  std::vector<std::byte> bytes(2'500'000);
  BlockContent(43).fill(0, bytes);
  hdfs::RpcOptions rpc;
  rpc.user = "alice";
  hdfs::NamenodeClient client(cluster.namenode_endpoint(), rpc);
  const auto write = [&](const std::string& path, std::uint32_t replication) {
    auto writer = hdfs::FileWriter::create(client, path,
                                           {.replication = replication, .block_size = 1 << 20}, {});
    ASSERT_TRUE(writer) << writer.error().message;
    ASSERT_TRUE(writer->write(bytes));
    const auto closed = writer->close();
    ASSERT_TRUE(closed) << closed.error().message;
  };
  const auto expect_all = [&](hdfs::FileReader& reader, std::size_t at) {
    while (true) {
      const auto part = reader.next();
      ASSERT_TRUE(part) << part.error().message;
      if (part->empty()) break;
      ASSERT_TRUE(
          std::equal(part->begin(), part->end(), bytes.begin() + static_cast<std::ptrdiff_t>(at)));
      at += part->size();
    }
    EXPECT_EQ(at, bytes.size());
  };
  hdfs::DeadDatanodes dead;
  const auto open = [&](const std::string& path) {
    return hdfs::FileReader::open(client, dead, path, 0, ~std::uint64_t{0} >> 2, {});
  };
  write("/file", 3);
  ASSERT_TRUE(eventually([&] { return cluster.has_replicas("/file", 3); }));
  // This reader knows where the blocks are, and takes the others for dead.
  for (const std::uint32_t other : {1u, 2u}) {
    dead.mark(datanode_uuid(StorageCluster::pool, NodeId(other)));
  }
  auto reading = open("/file");
  ASSERT_TRUE(reading);
  cluster.partition(0);
  EXPECT_TRUE(eventually([&] { return cluster.live() == 2; }));
  expect_all(*reading, 0);
  const auto& read = reading->statistics().bytes_by_datanode;
  ASSERT_EQ(read.size(), 1u);
  EXPECT_TRUE(read.begin()->first.starts_with(StorageCluster::address(0) + ":"));
  dead = hdfs::DeadDatanodes();
  // The two that the namenode sees have all of it, and take new files.
  write("/other", 2);
  for (const char* path : {"/file", "/other"}) {
    auto again = open(path);
    ASSERT_TRUE(again) << path;
    expect_all(*again, 0);
  }
  cluster.heal(0);
  EXPECT_TRUE(eventually([&] { return cluster.live() == 3; }));
  write("/third", 3);
  auto third = open("/third");
  ASSERT_TRUE(third);
  expect_all(*third, 0);
}

}  // namespace
}  // namespace tracebed::test
