#include "system/key_file.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/input_error.h"
#include "system/file_descriptor.h"

namespace tracebed {
namespace {

bool is_z85(char c) {
  constexpr std::string_view signs = ".-:+=^!/*?&<>()[]{}@%$#";
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         signs.find(c) != std::string_view::npos;
}

constexpr std::array key_file_keys{
    TomlKey<KeyPair>{
        "public", [](const TomlValue& value, KeyPair& keys) { keys.public_key = read_key(value); },
        Presence::required},
    TomlKey<KeyPair>{
        "secret", [](const TomlValue& value, KeyPair& keys) { keys.secret_key = read_key(value); },
        Presence::required},
};

}  // namespace

bool is_key(std::string_view text) {
  return text.size() == key_characters && std::all_of(text.begin(), text.end(), is_z85);
}

std::string read_key(const TomlValue& value) {
  const std::string text = value.text();
  if (!is_key(text)) {
    value.fail(fmt::format("expected a key of {} characters of Z85, got {} characters",
                           key_characters, text.size()));
  }
  return text;
}

KeyPair read_key_file(const std::filesystem::path& file) {
  struct stat status = {};
  if (stat(file.c_str(), &status) != 0) {
    throw EnvironmentError(
        fmt::format("the key file {} cannot be read: {}", file.string(), error_text(errno)));
  }
  if ((status.st_mode & S_IRWXO) != 0) {
    throw EnvironmentError(
        fmt::format("the key file {} is readable by every user of this machine (mode {:o}); "
                    "expected 640 or less",
                    file.string(), status.st_mode & 07777U));
  }
  KeyPair keys;
  read_table<KeyPair>(parse_toml_file(file), "", key_file_keys, keys);
  return keys;
}

void write_key_file(const std::filesystem::path& file, const KeyPair& keys) {
  const auto fail = [&] {
    throw EnvironmentError(
        fmt::format("the key file {} cannot be created: {}", file.string(), error_text(errno)));
  };
  const FileDescriptor opened(
      open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR));
  if (!opened.is_open()) fail();
  const std::string text =
      fmt::format("public = \"{}\"\nsecret = \"{}\"\n", keys.public_key, keys.secret_key);
  if (write(opened.number(), text.data(), text.size()) != static_cast<ssize_t>(text.size())) fail();
}

KnownKeys read_known_keys(const std::filesystem::path& file) {
  KnownKeys known;
  const toml::table table = parse_toml_file(file);
  for (const auto& [name, node] : table) {
    const TomlValue value(node, std::string(name.str()));
    const auto [found, is_new] = known.emplace(read_key(value), std::string(name.str()));
    if (!is_new) value.fail(fmt::format("expected a distinct key, got that of {}", found->second));
  }
  return known;
}

}  // namespace tracebed
