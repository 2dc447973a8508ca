// A number handed from process to process.
#include "system/secret_number.h"

#include <array>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace tracebed {
namespace {

TEST(SecretNumber, ComesOutOfItsPipeOnceAndWhole) {
  const Result<FileDescriptor> pipe = pipe_that_holds(ProcessSecret{0x0102'0304'0506'0708, {}});
  ASSERT_TRUE(pipe) << pipe.error().message;
  const Result<ProcessSecret> secret = read_secret(pipe->number());
  ASSERT_TRUE(secret);
  EXPECT_EQ(secret->number, 0x0102'0304'0506'0708u);
  EXPECT_FALSE(secret->keys);
  EXPECT_FALSE(read_secret(pipe->number())) << "the pipe is empty";
}

TEST(SecretNumber, ComesWithKeysThatAreKeys) {
  const LinkKeys keys{{std::string(40, 'p'), std::string(40, 's')}, std::string(40, 'c')};
  const Result<FileDescriptor> pipe = pipe_that_holds(ProcessSecret{9, keys});
  ASSERT_TRUE(pipe);
  const Result<ProcessSecret> secret = read_secret(pipe->number());
  ASSERT_TRUE(secret);
  EXPECT_EQ(secret->number, 9u);
  EXPECT_EQ(secret->keys->own.public_key, keys.own.public_key);
  EXPECT_EQ(secret->keys->own.secret_key, keys.own.secret_key);
  EXPECT_EQ(secret->keys->coordinator, keys.coordinator);
  for (LinkKeys bad : {LinkKeys{keys.own, std::string(40, ' ')}, LinkKeys{keys.own, "short"},
                       LinkKeys{keys.own, std::string(41, 'c')}}) {
    const Result<FileDescriptor> other = pipe_that_holds(ProcessSecret{9, bad});
    ASSERT_TRUE(other);
    EXPECT_FALSE(read_secret(other->number())) << bad.coordinator;
  }
}

TEST(SecretNumber, IsInheritedByNobodyByAccident) {
  const Result<FileDescriptor> pipe = pipe_that_holds(ProcessSecret{7, {}});
  ASSERT_TRUE(pipe);
  EXPECT_EQ(fcntl(pipe->number(), F_GETFD) & FD_CLOEXEC, FD_CLOEXEC);
}

TEST(SecretNumber, IsNotMadeOfOtherInput) {
  const FileDescriptor nothing(open("/dev/null", O_RDONLY | O_CLOEXEC));
  EXPECT_FALSE(read_secret(nothing.number()));
  const FileDescriptor without_end(open("/dev/zero", O_RDONLY | O_CLOEXEC));
  EXPECT_FALSE(read_secret(without_end.number()));
  const Result<FileDescriptor> zero = pipe_that_holds(ProcessSecret{0, {}});
  ASSERT_TRUE(zero);
  EXPECT_FALSE(read_secret(zero->number())) << "0 is no secret";
  for (const std::size_t size : {1u, 7u, 9u}) {
    std::array<int, 2> ends = {-1, -1};
    ASSERT_EQ(pipe2(ends.data(), O_CLOEXEC), 0);
    const FileDescriptor to_read(ends[0]);
    FileDescriptor to_write(ends[1]);
    ASSERT_EQ(write(to_write.number(), "123456789", size), static_cast<ssize_t>(size));
    to_write.reset();
    EXPECT_FALSE(read_secret(to_read.number())) << size << " bytes";
  }
  EXPECT_FALSE(read_secret(-1));
}

}  // namespace
}  // namespace tracebed
