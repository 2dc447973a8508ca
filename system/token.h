// A token: anyone who has it may give orders over a network. It is a line of a file that only its
// owner and group can read.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tracebed {

// Throws EnvironmentError if the file cannot be read, users other than its owner and group may open
// it, or its first line is no token: 32 to 256 letters, digits and signs, without blanks.
std::string read_token_file(const std::filesystem::path& file);

struct NamedToken {
  std::string name;  // up to 64 letters, digits and - _ .; "token" if the line has none
  std::string token;
};

// The tokens that a server accepts: of a file, or one without a name; none: no token is required.
struct TokenList {
  TokenList() = default;
  TokenList(std::vector<NamedToken> tokens) : all(std::move(tokens)) {}
  TokenList(const std::string& token) {
    if (!token.empty()) all.push_back({"token", token});
  }
  TokenList(const char* token) : TokenList(std::string(token)) {}

  std::vector<NamedToken> all;
};

// All tokens of a file that a server accepts: lines of TOKEN or NAME TOKEN; blank ones and those
// that begin with # are skipped. At least one, at most 100. Throws EnvironmentError as above, and
// for an invalid line or a name or token that occurs twice.
std::vector<NamedToken> read_named_tokens(const std::filesystem::path& file);

// Makes a token in a new file that only its owner can read. Throws EnvironmentError.
void make_token_file(const std::filesystem::path& file);

// Whether they are equal, in a time that reveals nothing but their lengths.
bool is_same_token(std::string_view given, std::string_view token);

}  // namespace tracebed
