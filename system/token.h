// A token: whoever has it may give orders over a network. One line of a file that only its owner
// and group can read.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace tracebed {

// Throws EnvironmentError if the file cannot be read, others than its owner and group may open it,
// or its first line is no token: 32 to 256 letters, digits and signs, without blanks.
std::string read_token_file(const std::filesystem::path& file);

// Makes a token in a new file that only its owner can read. Throws EnvironmentError.
void make_token_file(const std::filesystem::path& file);

// Whether they are equal, in a time that tells nothing but their lengths.
bool is_same_token(std::string_view given, std::string_view token);

}  // namespace tracebed
