// A number handed from process to process.
#include "system/secret_number.h"

#include <array>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <string>
#include <unistd.h>
#include <vector>

namespace tracebed {
namespace {

TEST(SecretNumber, ComesOutOfItsPipeOnceAndWhole) {
  const Result<FileDescriptor> pipe =
      pipe_that_holds(ProcessSecret{0x0102'0304'0506'0708, "ipc://x", {}});
  ASSERT_TRUE(pipe) << pipe.error().message;
  const Result<ProcessSecret> secret = read_secret(pipe->number());
  ASSERT_TRUE(secret);
  EXPECT_EQ(secret->number, 0x0102'0304'0506'0708u);
  EXPECT_EQ(secret->coordinator, "ipc://x");
  EXPECT_FALSE(secret->keys);
  EXPECT_FALSE(read_secret(pipe->number())) << "the pipe is empty";
}

TEST(SecretNumber, ComesWithKeysThatAreKeys) {
  const std::string endpoint(endpoint_bytes_max, 'e');
  const LinkKeys keys{{std::string(40, 'p'), std::string(40, 's')}, std::string(40, 'c')};
  const Result<FileDescriptor> pipe = pipe_that_holds(ProcessSecret{9, endpoint, keys});
  ASSERT_TRUE(pipe);
  const Result<ProcessSecret> secret = read_secret(pipe->number());
  ASSERT_TRUE(secret);
  EXPECT_EQ(secret->number, 9u);
  EXPECT_EQ(secret->coordinator, endpoint);
  EXPECT_EQ(secret->keys->own.public_key, keys.own.public_key);
  EXPECT_EQ(secret->keys->own.secret_key, keys.own.secret_key);
  EXPECT_EQ(secret->keys->coordinator, keys.coordinator);
  for (LinkKeys bad : {LinkKeys{keys.own, std::string(40, ' ')}, LinkKeys{keys.own, "short"},
                       LinkKeys{keys.own, std::string(41, 'c')}}) {
    EXPECT_FALSE(pipe_that_holds(ProcessSecret{9, endpoint, bad})) << bad.coordinator;
  }
}

TEST(SecretNumber, ComesWithAnEndpointOfItsBounds) {
  for (const std::size_t bytes : {std::size_t{0}, endpoint_bytes_max + 1}) {
    EXPECT_FALSE(pipe_that_holds(ProcessSecret{9, std::string(bytes, 'e'), {}})) << bytes;
  }
}

TEST(SecretNumber, IsInheritedByNobodyByAccident) {
  const Result<FileDescriptor> pipe = pipe_that_holds(ProcessSecret{7, "ipc://x", {}});
  ASSERT_TRUE(pipe);
  EXPECT_EQ(fcntl(pipe->number(), F_GETFD) & FD_CLOEXEC, FD_CLOEXEC);
}

TEST(SecretNumber, IsNotMadeOfOtherInput) {
  const FileDescriptor nothing(open("/dev/null", O_RDONLY | O_CLOEXEC));
  EXPECT_FALSE(read_secret(nothing.number()));
  const FileDescriptor without_end(open("/dev/zero", O_RDONLY | O_CLOEXEC));
  EXPECT_FALSE(read_secret(without_end.number()));
  const Result<FileDescriptor> zero = pipe_that_holds(ProcessSecret{0, "ipc://x", {}});
  ASSERT_TRUE(zero);
  EXPECT_FALSE(read_secret(zero->number())) << "0 is no secret";
  // Whatever is cut off, and what follows a whole secret of other keys.
  const std::string whole =
      "12345678"
      "k" +
      std::string(3 * key_characters, 'k') + "e";
  const std::string bad_keys =
      "12345678"
      "k" +
      std::string(3 * key_characters, ' ') + "e";
  const std::string long_endpoint =
      "12345678"
      "-" +
      std::string(endpoint_bytes_max + 1, 'e');
  const std::string no_mark =
      "12345678"
      "xendpoint";
  std::vector<std::string> bad = {bad_keys, long_endpoint, no_mark};
  for (std::size_t size = 1; size < whole.size(); ++size) bad.push_back(whole.substr(0, size));
  for (const std::string& bytes : bad) {
    std::array<int, 2> ends = {-1, -1};
    ASSERT_EQ(pipe2(ends.data(), O_CLOEXEC), 0);
    const FileDescriptor to_read(ends[0]);
    FileDescriptor to_write(ends[1]);
    ASSERT_EQ(write(to_write.number(), bytes.data(), bytes.size()),
              static_cast<ssize_t>(bytes.size()));
    to_write.reset();
    EXPECT_FALSE(read_secret(to_read.number())) << bytes.size() << " bytes";
  }
  EXPECT_FALSE(read_secret(-1));
}

}  // namespace
}  // namespace tracebed
