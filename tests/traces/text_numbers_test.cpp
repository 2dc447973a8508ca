#include "traces/parts/text_numbers.h"

#include <gtest/gtest.h>
#include <string>

#include "core/random.h"

namespace tracebed {
namespace {

struct NumberCase {
  const char* text;
  std::int64_t millionths;
  bool has_fraction;
  NumberFault fault;
};

constexpr NumberFault none = NumberFault::none;
constexpr NumberFault not_a_number = NumberFault::not_a_number;
constexpr NumberFault out_of_range = NumberFault::out_of_range;

constexpr NumberCase cases[] = {
    {"0", 0, false, none},
    {"42", 42'000'000, false, none},
    {"-1", -1'000'000, false, none},
    {"+7", 7'000'000, false, none},
    {"007", 7'000'000, false, none},
    {"552.21", 552'210'000, true, none},
    {"-0.5", -500'000, true, none},
    {"3.000", 3'000'000, false, none},
    {".5", 500'000, true, none},
    {"5.", 5'000'000, false, none},
    {"0.1234564", 123'456, true, none},
    {"0.1234565", 123'457, true, none},
    {"0.99999999", 1'000'000, true, none},
    {"1e3", 1'000'000'000, false, none},
    {"1.5E-3", 1'500, true, none},
    {"9000000000000", 9'000'000'000'000'000'000, false, none},
    {"9000000000001", 0, false, out_of_range},
    {"99999999999999999999999999", 0, false, out_of_range},
    {"1e300", 0, false, out_of_range},
    {"1e9999", 0, false, out_of_range},
    {"", 0, false, not_a_number},
    {"-", 0, false, not_a_number},
    {".", 0, false, not_a_number},
    {"1.2.3", 0, false, not_a_number},
    {"12a", 0, false, not_a_number},
    {"--1", 0, false, not_a_number},
    {"nan", 0, false, not_a_number},
    {"inf", 0, false, not_a_number},
    {"0x10", 0, false, not_a_number},
    {"1e", 0, false, not_a_number},
    {"1,5", 0, false, not_a_number},
};

TEST(TextNumbers, ReadDecimalsExactly) {
  for (const NumberCase& each : cases) {
    const Decimal number = read_decimal(each.text);
    EXPECT_EQ(number.fault, each.fault) << each.text;
    if (each.fault != none) continue;
    EXPECT_EQ(number.millionths, each.millionths) << each.text;
    EXPECT_EQ(number.has_fraction, each.has_fraction) << each.text;
  }
}

// The quick way in line and the slow one must not differ.
void expect_scanned_as_read(const std::string& text) {
  const Decimal read = read_decimal(text);
  // What stands behind the end of the line must not matter, digits least of all.
  for (const std::string behind : {" 77", "\t", ""}) {
    const std::string line = text + behind;
    const std::string memory = line + "7777777777777777";
    const char* at = memory.data();
    const Decimal scanned = scan_decimal(at, memory.data() + line.size());
    EXPECT_EQ(at, memory.data() + text.size()) << text;
    EXPECT_EQ(scanned.fault, read.fault) << text;
    EXPECT_EQ(scanned.millionths, read.millionths) << text;
    EXPECT_EQ(scanned.has_fraction, read.has_fraction) << text;
  }
}

TEST(TextNumbers, ScanAsTheyRead) {
  for (const NumberCase& each : cases) expect_scanned_as_read(each.text);
}

TEST(TextNumbers, ScanAsTheyReadWithEveryCountOfDigits) {
  Random random(1);
  for (int whole = 0; whole <= 14; ++whole) {
    for (int places = -1; places <= 9; ++places) {
      for (const bool negative : {false, true}) {
        std::string text = negative ? "-" : "";
        for (int i = 0; i < whole; ++i) text += static_cast<char>('0' + random.below(10));
        if (places >= 0) text += '.';
        for (int i = 0; i < places; ++i) text += static_cast<char>('0' + random.below(10));
        expect_scanned_as_read(text);
        expect_scanned_as_read(text + "x");
      }
    }
  }
}

TEST(TextNumbers, ReadWholeNumbersOf64Bits) {
  EXPECT_EQ(read_whole("9223372036854775807").value, 9'223'372'036'854'775'807);
  EXPECT_EQ(read_whole("-3").value, -3);
  EXPECT_EQ(read_whole("9007199254740993").value, 9'007'199'254'740'993);  // above 2^53
  EXPECT_EQ(read_whole("9223372036854775808").fault, out_of_range);
  for (const char* text : {"", "1.0", "x", " 1", "1 "}) {
    EXPECT_EQ(read_whole(text).fault, not_a_number) << text;
  }
}

TEST(DecimalText, IsTheShortestThatIsExact) {
  EXPECT_EQ(decimal_text(0), "0");
  EXPECT_EQ(decimal_text(20'000'000), "20");
  EXPECT_EQ(decimal_text(2'500'000), "2.5");
  EXPECT_EQ(decimal_text(1), "0.000001");
}

}  // namespace
}  // namespace tracebed
