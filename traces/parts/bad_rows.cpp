#include "traces/parts/bad_rows.h"

#include <cstring>
#include <fmt/format.h>
#include <utility>

#include "core/check.h"
#include "core/input_error.h"

namespace tracebed {

std::string_view name(BadRow reason) {
  switch (reason) {
    case BadRow::columns:
      return "wrong number of columns";
    case BadRow::number:
      return "not the number expected";
    case BadRow::negative:
      return "negative";
    case BadRow::out_of_range:
      return "out of range";
    case BadRow::order:
      return "submitted before the row above";
    case BadRow::text:
      return "not usable text";
    case BadRow::too_many_tasks:
      return "too many tasks";
    case BadRow::line_too_long:
      return "line too long";
    case BadRow::cycle:
      return "tasks that need each other";
    case BadRow::too_large:
      return "document too large";
    case BadRow::not_json:
      return "not JSON";
    case BadRow::damaged:
      return "damaged compressed data";
  }
  invariant_failed("reason is an enumerator", __FILE__, __LINE__, "every reason has a name");
}

void BadRows::add(BadRow reason, std::uint64_t line, std::string_view place,
                  std::string_view expected, std::string_view got) {
  Reason& entry = reasons_[static_cast<std::size_t>(reason)];
  ++entry.rows;
  if (entry.rows > 1 && messages_.size() == messages_max) return;
  std::string message =
      fmt::format("{}:{}: {}: expected {}, got {}", trace_, line, place, expected, got);
  if (!skip_) throw InputError(message);
  if (entry.rows == 1) {
    entry.first_line = line;
    entry.first_message = message;
  }
  if (messages_.size() < messages_max) messages_.push_back(std::move(message));
}

std::uint64_t BadRows::total() const {
  std::uint64_t rows = 0;
  for (const Reason& reason : reasons_) rows += reason.rows;
  return rows;
}

std::string shown(std::string_view text) {
  constexpr std::size_t shown_max = 60;
  std::string result = "'";
  for (const char letter : text.substr(0, shown_max)) {
    const auto byte = static_cast<unsigned char>(letter);
    if (byte >= 0x20 && byte < 0x7F) {
      result += letter;
    } else {
      result += fmt::format("\\x{:02X}", byte);
    }
  }
  result += "'";
  if (text.size() > shown_max) result += fmt::format(" … ({} bytes)", text.size());
  return result;
}

bool is_utf8(std::string_view text) {
  const auto byte = [&](std::size_t at) -> unsigned {
    return at < text.size() ? static_cast<unsigned char>(text[at]) : 0;
  };
  for (std::size_t i = 0; i < text.size();) {
    if (i + 8 <= text.size()) {
      std::uint64_t eight = 0;
      std::memcpy(&eight, text.data() + i, 8);
      if ((eight & 0x8080808080808080u) == 0) {
        i += 8;
        continue;
      }
    }
    const unsigned lead = byte(i);
    if (lead < 0x80) {
      ++i;
      continue;
    }
    const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    unsigned code = lead & (0xFFU >> (length + 1));
    for (std::size_t k = 1; k < length; ++k) {
      if ((byte(i + k) & 0xC0U) != 0x80) return false;
      code = code << 6 | (byte(i + k) & 0x3FU);
    }
    constexpr std::array<unsigned, 5> smallest = {0, 0, 0x80, 0x800, 0x10000};
    const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
    if (lead < 0xC2 || lead > 0xF4 || code < smallest[length] || code > 0x10FFFF || surrogate) {
      return false;
    }
    i += length;
  }
  return true;
}

}  // namespace tracebed
