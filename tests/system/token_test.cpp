#include "system/token.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "core/input_error.h"
#include "support/temporary_folder.h"

namespace tracebed {
namespace {

TEST(Tokens, AreMadeOnceAndReadByTheirOwnerAlone) {
  TemporaryFolder folder;
  make_token_file(folder.file("token"));
  make_token_file(folder.file("other"));
  const std::string token = read_token_file(folder.file("token"));
  EXPECT_EQ(token.size(), 64u);
  EXPECT_NE(token, read_token_file(folder.file("other")));
  EXPECT_THROW(make_token_file(folder.file("token")), EnvironmentError);
  ASSERT_EQ(chmod(folder.file("token").c_str(), 0644), 0);
  EXPECT_THROW(read_token_file(folder.file("token")), EnvironmentError);
}

TEST(Tokens, AreOneLineThatIsLongEnough) {
  TemporaryFolder folder;
  const auto read = [&](const std::string& text) {
    const auto file = folder.write("token", text);
    chmod(file.c_str(), 0600);
    return read_token_file(file);
  };
  EXPECT_EQ(read(std::string(32, 'a') + "\nmore"), std::string(32, 'a'));
  EXPECT_EQ(read(std::string(256, 'a')), std::string(256, 'a'));
  for (const std::string& text : {std::string(), std::string(31, 'a'), std::string(257, 'a'),
                                  std::string(40, ' '), "\n" + std::string(40, 'a')}) {
    EXPECT_THROW(read(text), EnvironmentError) << text;
  }
  EXPECT_THROW(read_token_file(folder.file("none")), EnvironmentError);
}

TEST(Tokens, OfAServerHaveNames) {
  TemporaryFolder folder;
  const auto read = [&](const std::string& text) {
    const auto file = folder.write("token", text);
    chmod(file.c_str(), 0600);
    return read_named_tokens(file);
  };
  const std::string a(32, 'a');
  const std::string b(40, 'b');
  const std::vector<NamedToken> one = read(a + "\n");
  ASSERT_EQ(one.size(), 1u);
  EXPECT_EQ(one[0].name, "token");
  EXPECT_EQ(one[0].token, a);
  const std::vector<NamedToken> two = read("# who may\nanna " + a + "\n\nlab-2.bob " + b);
  ASSERT_EQ(two.size(), 2u);
  EXPECT_EQ(two[0].name, "anna");
  EXPECT_EQ(two[1].name, "lab-2.bob");
  EXPECT_EQ(two[1].token, b);
  std::string many;
  for (int i = 0; i < 101; ++i)
    many += "n" + std::to_string(i) + " " + a + std::to_string(i) + "\n";
  for (const std::string& text :
       {std::string(), std::string("#\n"), "anna " + a.substr(1), "an/na " + a, " " + a,
        "anna  " + a, a + "\nmore", a + "\n" + a, "x " + a + "\nx " + b, "x " + a + "\ny " + a,
        std::string(65, 'n') + " " + a, many}) {
    EXPECT_THROW(read(text), EnvironmentError) << text;
  }
}

TEST(Tokens, AreTheSameIfEveryByteIs) {
  EXPECT_TRUE(is_same_token("abc", "abc"));
  for (const char* other : {"", "ab", "abcd", "abd", "xbc"})
    EXPECT_FALSE(is_same_token(other, "abc"));
}

}  // namespace
}  // namespace tracebed
