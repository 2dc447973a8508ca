// Where a daemon's services for people and monitoring listen: on the loopback interface, which only
// users of this machine reach, or elsewhere, where a token is required.
#pragma once

#include <string>

#include "system/toml_value.h"

namespace tracebed {

// An IPv4 address in digits.
std::string ipv4_address(const TomlValue& value);

// Throws InputError, which begins with `where`, for an address outside 127.0.0.0/8: to be called if
// there is no token.
void check_is_loopback(const std::string& where, const std::string& address);

}  // namespace tracebed
