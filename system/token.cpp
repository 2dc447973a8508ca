#include "system/token.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <fcntl.h>
#include <fmt/format.h>
#include <sstream>
#include <sys/stat.h>
#include <unistd.h>

#include "core/input_error.h"
#include "system/file_descriptor.h"
#include "system/secret_number.h"

namespace tracebed {
namespace {

constexpr std::size_t token_bytes_min = 32;
constexpr std::size_t token_bytes_max = 256;

bool is_token(std::string_view text) {
  return text.size() >= token_bytes_min && text.size() <= token_bytes_max &&
         std::all_of(text.begin(), text.end(), [](unsigned char c) { return c > ' ' && c < 127; });
}

[[noreturn]] void fail(const std::filesystem::path& file, const std::string& what) {
  throw EnvironmentError(fmt::format("the token file {} {}", file.string(), what));
}

bool is_token_name(std::string_view text) {
  constexpr std::size_t name_bytes_max = 64;
  return !text.empty() && text.size() <= name_bytes_max &&
         std::all_of(text.begin(), text.end(), [](unsigned char c) {
           return std::isalnum(c) != 0 || c == '-' || c == '_' || c == '.';
         });
}

// At most so many bytes of a file that is closed to others.
std::string read_closed_file(const std::filesystem::path& file, std::size_t bytes_max) {
  const FileDescriptor opened(open(file.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat status = {};
  if (!opened.is_open() || fstat(opened.number(), &status) != 0) {
    fail(file, "cannot be read: " + error_text(errno));
  }
  if ((status.st_mode & S_IRWXO) != 0) {
    fail(file,
         fmt::format("is readable by every user of this machine (mode {:o}); expected 640 or less",
                     status.st_mode & 07777U));
  }
  std::string text(bytes_max, '\0');
  const ssize_t bytes = read(opened.number(), text.data(), text.size());
  if (bytes < 0) fail(file, "cannot be read: " + error_text(errno));
  text.resize(static_cast<std::size_t>(bytes));
  return text;
}

}  // namespace

std::string read_token_file(const std::filesystem::path& file) {
  std::string text = read_closed_file(file, token_bytes_max + 1);
  text.resize(std::min(text.find('\n'), text.size()));
  if (!is_token(text)) {
    fail(file, fmt::format("holds no token: expected a line of {} to {} letters, digits and signs",
                           token_bytes_min, token_bytes_max));
  }
  return text;
}

std::vector<NamedToken> read_named_tokens(const std::filesystem::path& file) {
  constexpr std::size_t tokens_max = 100;
  constexpr std::size_t bytes_max = std::size_t{64} << 10;
  std::istringstream lines(read_closed_file(file, bytes_max));
  std::vector<NamedToken> tokens;
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (line.empty() || line.starts_with('#')) continue;
    const std::size_t blank = line.find(' ');
    NamedToken named{"token", line};
    if (blank != std::string::npos) named = {line.substr(0, blank), line.substr(blank + 1)};
    if (!is_token(named.token) || !is_token_name(named.name)) {
      fail(file, fmt::format("has no token in line {}: expected TOKEN or NAME TOKEN, the token of "
                             "{} to {} letters, digits and signs",
                             number, token_bytes_min, token_bytes_max));
    }
    for (const NamedToken& other : tokens) {
      if (other.name != named.name && other.token != named.token) continue;
      fail(file, fmt::format("has the name or the token of line {} twice", number));
    }
    tokens.push_back(std::move(named));
  }
  if (tokens.empty() || tokens.size() > tokens_max) {
    fail(file, fmt::format("has {} tokens; expected 1 to {}", tokens.size(), tokens_max));
  }
  return tokens;
}

void make_token_file(const std::filesystem::path& file) {
  const FileDescriptor opened(
      open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR));
  if (!opened.is_open()) fail(file, "cannot be made: " + error_text(errno));
  std::string text;
  for (int i = 0; i < 4; ++i) text += fmt::format("{:016x}", secret_number());
  text += '\n';
  if (write(opened.number(), text.data(), text.size()) != static_cast<ssize_t>(text.size())) {
    fail(file, "cannot be written: " + error_text(errno));
  }
}

bool is_same_token(std::string_view given, std::string_view token) {
  if (given.size() != token.size()) return false;
  volatile unsigned char difference = 0;
  for (std::size_t i = 0; i < token.size(); ++i) {
    difference = static_cast<unsigned char>(
        difference | (static_cast<unsigned char>(given[i]) ^ static_cast<unsigned char>(token[i])));
  }
  return difference == 0;
}

}  // namespace tracebed
