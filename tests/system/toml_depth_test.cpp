#include "system/toml_depth.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>

#include "core/input_error.h"
#include "system/toml_value.h"

namespace tracebed {
namespace {

std::string key_of(std::size_t words, const std::string& word = "a") {
  std::string key = word;
  for (std::size_t i = 1; i < words; ++i) key += '.' + word;
  return key;
}

TEST(TomlDepth, IsThatOfKeysAlone) {
  EXPECT_EQ(line_of_endless_key(key_of(4) + " = 1\n", 4), 0u);
  EXPECT_EQ(line_of_endless_key(key_of(5) + " = 1\n", 4), 1u);
  for (const std::string& text :
       {"\n\n[" + key_of(5) + "]", "\n\n[[ " + key_of(5) + " ]]", "\n\nx = {" + key_of(5) + " = 1}",
        "\n\nx = [\t{" + key_of(5, "\"b.c\"") + " = 1}]", "\n\n" + key_of(5, " 'd' ") + " = 1",
        "a = \"\"\"\n\n\"\"\"\n" + key_of(5)}) {
    EXPECT_EQ(line_of_endless_key(text, 4), text.starts_with("\n\n") ? 3u : 4u) << text;
  }
  for (const std::string& text :
       {"a = \"" + key_of(9) + "\"", "a = '" + key_of(9) + "'", "# " + key_of(9),
        "a = \"\"\"\n" + key_of(9) + "\"\"\"", "a = '''\n" + key_of(9) + "'''",
        "a = \"\\\"" + key_of(9) + "\"", std::string("a = [1.5, 2.5, 3.5, 4.5, 5.5]"),
        key_of(3) + "\n" + key_of(3)}) {
    EXPECT_EQ(line_of_endless_key(text, 4), 0u) << text;
  }
  EXPECT_EQ(line_of_endless_key("\"", 4), 0u);
  EXPECT_EQ(line_of_endless_key("\"\\", 4), 0u);
}

// The parser would call itself as often as the key has words.
TEST(TomlDepth, OfWhatSomebodySendsIsBounded) {
  EXPECT_THAT([] { parse_toml(key_of(400'000) + " = 1\n", "sent"); },
              testing::ThrowsMessage<InputError>(
                  "sent:1: unsupported TOML: expected keys of at most 16 words"));
  EXPECT_NO_THROW(parse_toml(key_of(16) + " = 1\n", "sent"));
}

}  // namespace
}  // namespace tracebed
