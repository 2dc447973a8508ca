#include "system/open_address.h"

#include <arpa/inet.h>

#include "core/input_error.h"

namespace tracebed {

std::string ipv4_address(const TomlValue& value) {
  std::string text = value.text();
  in_addr parsed = {};
  if (inet_pton(AF_INET, text.c_str(), &parsed) != 1) value.fail_expected("an IPv4 address");
  return text;
}

void check_is_loopback(const std::string& where, const std::string& address) {
  if (address.starts_with("127.")) return;
  throw InputError(where + ": expected an address of the loopback interface, as there is no " +
                   "`token_file`, got " + address);
}

}  // namespace tracebed
