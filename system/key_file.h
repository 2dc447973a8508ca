// The keys by which daemons on different machines authenticate each other (CurveZMQ): Curve25519
// keys in Z85, 40 characters each. A key file is TOML with `public` and `secret`; anyone who can
// read it can impersonate its owner.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include "system/toml_value.h"

namespace tracebed {

struct KeyPair {
  std::string public_key;
  std::string secret_key;
};

// Public key → the name of its owner.
using KnownKeys = std::map<std::string, std::string, std::less<>>;

// What a connecting side needs: its own pair, and the coordinator's public key.
struct LinkKeys {
  KeyPair own;
  std::string coordinator;
};

inline constexpr std::size_t key_characters = 40;
bool is_key(std::string_view text);

// Throws InputError unless the value is 40 characters of Z85.
std::string read_key(const TomlValue& value);

// Throws InputError, naming file and key, if the file has no pair; EnvironmentError if it cannot be
// read, or if users other than its owner and group can read it.
KeyPair read_key_file(const std::filesystem::path& file);
// Makes a file that only its owner can read. Throws EnvironmentError, also if the file exists.
void write_key_file(const std::filesystem::path& file, const KeyPair& keys);

// A table NAME = "public key". Throws InputError, naming the place, if two names have one key.
KnownKeys read_known_keys(const std::filesystem::path& file);

}  // namespace tracebed
