#include "coordinator/real/router_socket.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/input_error.h"

namespace tracebed::test {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

TEST(RouterSocket, OnlyEndpointsOfThisMachineAreTaken) {
  for (const char* endpoint : {"tcp://0.0.0.0:5555", "tcp://*:5555", "tcp://10.0.0.1:1", "x"}) {
    EXPECT_THAT([&] { RouterSocket socket(endpoint); },
                ThrowsMessage<InputError>(HasSubstr(endpoint)));
  }
}

TEST(RouterSocket, APortThatIsTakenIsNamed) {
  RouterSocket first("tcp://127.0.0.1:*");
  EXPECT_THAT(first.endpoint(), ::testing::MatchesRegex("tcp://127.0.0.1:[0-9]+"));
  EXPECT_THAT([&] { RouterSocket second(first.endpoint()); },
              ThrowsMessage<EnvironmentError>(HasSubstr("cannot listen on " + first.endpoint())));
}

}  // namespace
}  // namespace tracebed::test
