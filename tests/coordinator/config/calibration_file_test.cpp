#include "coordinator/config/calibration_file.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/input_error.h"
#include "support/temporary_folder.h"

namespace tracebed {
namespace {

using ::testing::HasSubstr;

Calibration measured() {
  Calibration calibration;
  calibration.machine = "node1";
  calibration.processor = "Some Processor @ 2.5 GHz";
  calibration.processors = 4;
  calibration.isolation = "cgroup-v2";
  calibration.tasks = 131;
  calibration.launch_latency = microseconds(2693);
  calibration.launch_spread = 4.125;
  calibration.task_overhead = milliseconds(12);
  calibration.task_overhead_spread = 2.75;
  return calibration;
}

class CalibrationFile : public ::testing::Test {
 protected:
  Calibration read(const std::string& text) {
    return read_calibration(folder_.write("calibration.toml", text));
  }
  std::string refusal(const std::string& text) {
    try {
      read(text);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  }
  // The file with one text in place of another.
  static std::string with(const std::string& text, const std::string& instead) {
    std::string file = to_toml(measured());
    const std::size_t at = file.find(text);
    EXPECT_NE(at, std::string::npos) << text;
    return file.replace(at, text.size(), instead);
  }

  TemporaryFolder folder_;
};

TEST_F(CalibrationFile, IsReadAsItWasWritten) {
  EXPECT_EQ(read(to_toml(measured())), measured());
}

TEST_F(CalibrationFile, MayHaveTheStartUpOfMasters) {
  EXPECT_EQ(to_toml(measured()).find("master_startup"), std::string::npos);
  Calibration with_masters = measured();
  with_masters.master_startup = {milliseconds(23), 1.5};
  const std::string text = to_toml(with_masters);
  EXPECT_EQ(read(text), with_masters);
  const std::string key = "master_startup = \"23ms\"";
  ASSERT_NE(text.find(key), std::string::npos) << text;
  std::string changed = text;
  EXPECT_THAT(refusal(changed.replace(text.find(key), key.size(), "master_startup = \"24ms\"")),
              HasSubstr("checksum: expected "));
  std::string without = text;
  EXPECT_THAT(refusal(without.erase(text.find(key), key.size())),
              HasSubstr("master_startup_spread: expected master_startup beside it"));
}

TEST_F(CalibrationFile, HasNamesWithoutWhatTomlWouldEscape) {
  Calibration odd = measured();
  odd.processor = "a \"quoted\" \\ name\n\xff";
  EXPECT_EQ(read(to_toml(odd)).processor, "a _quoted_ _ name__");
}

TEST_F(CalibrationFile, WhoseValuesWereChangedIsRefused) {
  for (const auto& [text, instead] :
       {std::pair("2693us", "2694us"), std::pair("4.125", "4.126"), std::pair("12ms", "13ms"),
        std::pair("2.750", "2.751"), std::pair("\"node1\"", "\"node2\""),
        std::pair("= 131", "= 132"), std::pair("processors = 4", "processors = 5"),
        std::pair("cgroup-v2", "cgroup-v1"), std::pair("Some", "Same")}) {
    const std::string message = refusal(with(text, instead));
    EXPECT_THAT(message, HasSubstr("calibration.toml:16: checksum: expected ")) << text;
    EXPECT_THAT(message, HasSubstr("the file was damaged or changed")) << text;
  }
}

TEST_F(CalibrationFile, WithAnyByteChangedIsRefusedOrSaysTheSame) {
  const std::string whole = to_toml(measured());
  std::size_t refused = 0;
  for (std::size_t at = 0; at < whole.size(); ++at) {
    for (const char instead : {'0', 'x', '"', '\n', '\xff'}) {
      std::string damaged = whole;
      damaged[at] = instead;
      try {
        EXPECT_EQ(read(damaged), measured()) << "byte " << at << " became " << instead;
      } catch (const InputError&) {
        ++refused;
      }
    }
  }
  EXPECT_GT(refused, whole.size());  // comments may say what they like
}

TEST_F(CalibrationFile, ThatIsIncompleteOrOfAnotherKindIsRefusedByItsPlace) {
  const std::string whole = to_toml(measured());
  EXPECT_THAT(refusal(whole.substr(0, whole.find("checksum"))),
              HasSubstr("checksum: this key is missing"));
  EXPECT_THAT(refusal(whole.substr(0, whole.find("launch_spread"))),
              HasSubstr("launch_spread: this key is missing"));
  EXPECT_THAT(refusal(whole.substr(0, whole.size() - 4)), HasSubstr("calibration.toml:16:"));
  EXPECT_THAT(refusal(""), HasSubstr("format: this key is missing"));
  EXPECT_THAT(refusal("not = [toml"), HasSubstr("calibration.toml:1:"));
  EXPECT_THAT(refusal(with("version = 1", "version = 2")),
              HasSubstr("calibration.toml:6: version: expected a whole number from 1 to 1, got 2"));
  EXPECT_THAT(refusal(with("tracebed-calibration", "tracebed-run")), HasSubstr(":5: format: "));
  EXPECT_THAT(refusal(with("4.125", "0.5")), HasSubstr("launch_spread: expected a number from 1"));
  EXPECT_THAT(refusal(with("2693us", "-1us")), HasSubstr("launch_latency: expected a duration"));
  EXPECT_THAT(refusal(whole + "more = 1\n"), HasSubstr("more: unknown key"));
}

TEST_F(CalibrationFile, ThatIsNotThereIsNamed) {
  try {
    read_calibration(folder_.path() / "none.toml");
    FAIL();
  } catch (const std::exception& error) {
    EXPECT_THAT(error.what(), HasSubstr("none.toml"));
  }
}

}  // namespace
}  // namespace tracebed
