#include "agents/agent/io_pressure.h"

#include <gtest/gtest.h>

namespace tracebed::agent {
namespace {

TEST(IoPressure, IsTheShareOfTimeInWhichSomeTaskWaited) {
  EXPECT_EQ(parse_io_pressure("some avg10=0.37 avg60=9.00 avg300=9.00 total=1\nfull avg10=5.00"),
            4);
  EXPECT_EQ(parse_io_pressure("some avg10=100.00 avg60=0.00 avg300=0.00 total=1\n"), 1'000);
  EXPECT_EQ(parse_io_pressure("some avg10=0.00"), 0);
}

TEST(IoPressure, IsUnknownWhereTheTextIsAnother) {
  for (const char* text : {"", "full avg10=1.00", "some avg10=", "some avg10=x", "some avg10=-1.00",
                           "some avg10=100.01", "some avg10=nan"}) {
    EXPECT_EQ(parse_io_pressure(text), -1) << text;
  }
}

TEST(IoPressure, OfThisMachineIsAShareOrUnknown) {
  EXPECT_GE(read_io_pressure(), -1);
  EXPECT_LE(read_io_pressure(), 1'000);
}

}  // namespace
}  // namespace tracebed::agent
