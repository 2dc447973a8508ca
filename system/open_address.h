// Where a daemon's services for people and monitors listen: on the loopback interface, whose users
// the machine itself lets in, or elsewhere, where a token is wanted.
#pragma once

#include <string>

#include "system/toml_value.h"

namespace tracebed {

// An IPv4 address in digits.
std::string ipv4_address(const TomlValue& value);

// Throws InputError, which begins with `where`, for an address beyond 127.0.0.0/8: to be called
// where there is no token.
void check_is_loopback(const std::string& where, const std::string& address);

}  // namespace tracebed
