// A cluster without jobs, started as a user does it, and the clients of HDFS that Debian has.
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <optional>
#include <unistd.h>

#include "coordinator/cli/kept_open_cluster.h"
#include "support/eventually.h"

namespace tracebed {
namespace {

using test::has_program;
using ::testing::HasSubstr;

// MD5-of-2048MD5-of-512CRC32C of what a file holds, in blocks of 1 MiB, worked out here alone:
// MD5 of the MD5s of the blocks' checksums, which are filled up with zeros to a power of two.
constexpr const char* checksum_script = R"(
import hashlib, struct, sys
table = []
for n in range(256):
  c = n
  for _ in range(8): c = (c >> 1) ^ (0x82F63B78 if c & 1 else 0)
  table.append(c)
def crc(chunk):
  c = 0xFFFFFFFF
  for b in chunk: c = (c >> 8) ^ table[(c ^ b) & 255]
  return struct.pack(">I", c ^ 0xFFFFFFFF)
data = open(sys.argv[1], "rb").read()
sums = b""
for at in range(0, len(data), 1 << 20):
  block = data[at:at + (1 << 20)]
  sums += hashlib.md5(b"".join(crc(block[i:i + 512]) for i in range(0, len(block), 512))).digest()
size = 32
while size < len(sums): size *= 2
print(hashlib.md5(sums.ljust(size, b"\0")).hexdigest())
)";

class HdfsClients : public ::testing::Test {
 protected:
  void SetUp() override {
    if (::geteuid() != 0) GTEST_SKIP() << "cgroups can be written by root only";
    cluster_.emplace("hdfs-clients-" + std::to_string(::getpid()));
    // As random as a client's data: no two chunks are alike.
    ASSERT_EQ(sh("head -c 2621441 /dev/urandom > data && echo more > more").status, 0);
  }
  test::CommandResult sh(const std::string& command) const { return cluster_->sh(command); }
  std::string said(const std::string& command) const { return sh(command).output; }
  std::string own_checksum(const std::string& file) const {
    std::ofstream(cluster_->folder() / "checksum.py") << checksum_script;
    return said("python3 checksum.py " + file);
  }

  std::optional<KeptOpenCluster> cluster_;
};

TEST_F(HdfsClients, DoAllThatDebiansHdfsHasCommandsFor) {
  if (!has_program("hdfs")) GTEST_SKIP() << "hdfs-cli is not installed";
  EXPECT_EQ(said("hdfs mkdir -p /a/b"), "");
  EXPECT_EQ(said("hdfs put data /a/data"), "");
  EXPECT_EQ(said("hdfs ls /a"), "b\ndata\n");
  EXPECT_EQ(said("hdfs cat /a/data | cmp - data; hdfs get /a/data got; cmp got data"), "");
  EXPECT_EQ(said("hdfs head -n 1 /a/data > 1; head -n 1 data | cmp - 1"), "");
  EXPECT_EQ(said("hdfs tail -n 1 /a/data > 1; tail -n 1 data | cmp - 1"), "");
  EXPECT_EQ(said("hdfs touch /a/b/empty; hdfs ls -l /a/b").substr(0, 10), "-rw-r--r--");
  EXPECT_THAT(said("hdfs du /a"), HasSubstr("2621441"));
  EXPECT_THAT(said("hdfs df"), HasSubstr(cluster_->namenode()));
  EXPECT_EQ(said("hdfs checksum /a/data"), own_checksum("data").substr(0, 32) + " /a/data\n");
  EXPECT_EQ(said("hdfs mv /a/data /a/b/moved; hdfs ls /a/b"), "empty\nmoved\n");
  EXPECT_EQ(said("hdfs chmod 640 /a/b/moved; hdfs chown bob:staff /a/b/moved"), "");
  EXPECT_THAT(said("hdfs ls -l /a/b | tr -s ' '"), HasSubstr("-rw-r----- bob staff 2621441"));
  EXPECT_EQ(said("hdfs getmerge /a/b merged; cmp merged data"), "");
  EXPECT_EQ(said("hdfs truncate 1500000 /a/b/moved"), "");
  // The cut block has the new length once its datanodes have recovered it.
  EXPECT_TRUE(eventually([&] {
    return sh("hdfs cat /a/b/moved > cut && head -c 1500000 data | cmp - cut").status == 0;
  }));
  EXPECT_EQ(said("hdfs rm -r /a/b; hdfs ls /a"), "");
  EXPECT_EQ(said("hdfs ls /nowhere"), "stat /nowhere: file does not exist\n");
}

TEST_F(HdfsClients, ReadAndWriteOverWebHdfs) {
  EXPECT_EQ(said("curl -sL -T data -w '%{http_code}' \"$WEB/w?op=CREATE&user.name=ann\""), "201");
  EXPECT_EQ(said("curl -sL -X POST -T more -w '%{http_code}' \"$WEB/w?op=APPEND\""), "200");
  EXPECT_EQ(said("cat data more > both; curl -sL \"$WEB/w?op=OPEN\" | cmp - both"), "");
  EXPECT_EQ(said("curl -sL \"$WEB/w?op=OPEN&offset=2621441\""), "more\n");
  EXPECT_THAT(said("curl -sL \"$WEB/w?op=GETFILECHECKSUM\""),
              HasSubstr(own_checksum("both").substr(0, 32)));
  EXPECT_THAT(said("curl -s \"$WEB/nowhere?op=GETFILESTATUS\""),
              HasSubstr("java.io.FileNotFoundException"));
  if (!has_program("hdfs")) GTEST_SKIP() << "hdfs-cli is not installed";
  EXPECT_EQ(said("hdfs checksum /w").substr(0, 32), own_checksum("both").substr(0, 32))
      << "one file, one checksum, through both doors";
}

TEST_F(HdfsClients, ReadAndWriteWithFsspec) {
  if (sh("/usr/bin/python3 -c 'import fsspec, requests'").status != 0) {
    GTEST_SKIP() << "python3-fsspec is not installed";
  }
  std::ofstream(cluster_->folder() / "look.py") << R"(
import fsspec, sys
fs = fsspec.filesystem("webhdfs", host=sys.argv[1], port=int(sys.argv[2]), user="ann")
data = open("data", "rb").read()
with fs.open("/f", "wb") as file: file.write(data)
assert fs.cat("/f") == data
with fs.open("/f", "rb") as file:
  file.seek(2_000_000)
  assert file.read(7) == data[2_000_000:2_000_007]
assert fs.info("/f")["size"] == len(data)
print(fs.ukey("/f")["bytes"][24:])
fs.mkdir("/d"); fs.mv("/f", "/d/f")
assert fs.find("/") == ["/d/f"], fs.find("/")
fs.rm("/d", recursive=True)
assert fs.ls("/", detail=False) == []
)";
  EXPECT_EQ(said("/usr/bin/python3 look.py $(echo $WEB | cut -d/ -f3 | tr : ' ')"),
            own_checksum("data"));
}

TEST_F(HdfsClients, OfTracebedListCheckAndCopyFiles) {
  EXPECT_EQ(sh("$STORAGE put data /x && $STORAGE get /x got && cmp got data").status, 0);
  EXPECT_EQ(cluster_->json("blocks /x").at("blocks").back().at("length"), 524289);
  EXPECT_THAT(said("$STORAGE fsck /"), HasSubstr("/: healthy"));
  EXPECT_THAT(said("$STORAGE report"), HasSubstr("/rack2/node4"));
}

}  // namespace
}  // namespace tracebed
