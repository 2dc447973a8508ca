#include "coordinator/api/queue_numbers.h"

#include <gtest/gtest.h>

namespace tracebed {
namespace {

using Json = nlohmann::ordered_json;

TEST(QueueNumbers, AreReadFromTheTextsOfFigures) {
  EXPECT_EQ(read_number("75.0%"), Json(75.0));
  EXPECT_EQ(read_number("-0.5"), Json(-0.5));
  EXPECT_EQ(read_number("12"), Json(12));
  EXPECT_EQ(read_number("12").value_or(Json()).type(), Json::value_t::number_integer);
  EXPECT_EQ(read_number("75.0%").value_or(Json()).type(), Json::value_t::number_float);
  EXPECT_EQ(read_number("1e+10"), Json(1e10));
}

TEST(QueueNumbers, AreNoneWhereTheTextIsNone) {
  for (const char* text : {"", "%", "unlimited", "inf.0%", "inf", "nan", "12 s", "1,5", "--1"}) {
    EXPECT_FALSE(read_number(text)) << text;
  }
}

TEST(QueueNumbers, OfResourcesAreReadAsYarnWritesThem) {
  EXPECT_EQ(read_resources("memory: 4096, vCores: 4"), Resources(4'000, 4'096));
  EXPECT_EQ(read_resources("memory: 4096"), Resources(0, 4'096));
  EXPECT_EQ(read_resources("memory: 1, vCores: 0.25, gpu: 2"), Resources(250, 1));
  for (const char* text : {"", "4096", "memory: unlimited, vCores: 1", "memory: 1, vCores: many",
                           "memory:", "vCores: 1", "unlimited"}) {
    EXPECT_FALSE(read_resources(text)) << text;
  }
}

TEST(QueueNumbers, OfUnlimitedResourcesAreThoseThatAreGivenInstead) {
  const Resources otherwise(8'000, 9'000);
  EXPECT_EQ(read_resources("memory: unlimited, vCores: 4", &otherwise), Resources(4'000, 9'000));
  EXPECT_EQ(read_resources("memory: 1, vCores: unlimited", &otherwise), Resources(8'000, 1));
  EXPECT_FALSE(read_resources("unlimited", &otherwise));
}

TEST(QueueNumbers, OfResourcesAreWrittenAsYarnWritesThem) {
  EXPECT_EQ(resource_info(Resources(4'000, 4'096)).dump(), R"({"memory":4096,"vCores":4})");
  EXPECT_EQ(resource_info(Resources(250, 1)).dump(), R"({"memory":1,"vCores":0.25})");
}

}  // namespace
}  // namespace tracebed
