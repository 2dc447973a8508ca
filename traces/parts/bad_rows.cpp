#include "traces/parts/bad_rows.h"

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
    case BadRow::cut_off:
      return "document cut off";
  }
  invariant_failed("reason is an enumerator", __FILE__, __LINE__, "every reason has a name");
}

void BadRows::add(BadRow reason, std::uint64_t line, std::string_view place,
                  std::string_view expected, std::string_view got) {
  Reason& entry = reasons_[static_cast<std::size_t>(reason)];
  ++entry.rows;
  if (entry.rows > 1 && messages_.size() == messages_max) return;
  std::string text = message(line, place, expected, got);
  if (!skip_) throw InputError(text);
  if (entry.rows == 1) {
    entry.first_line = line;
    entry.first_message = text;
  }
  if (messages_.size() < messages_max) messages_.push_back(std::move(text));
}

void BadRows::refuse(std::uint64_t line, std::string_view place, std::string_view expected,
                     std::string_view got) const {
  throw InputError(message(line, place, expected, got));
}

std::string BadRows::message(std::uint64_t line, std::string_view place, std::string_view expected,
                             std::string_view got) const {
  return fmt::format("{}:{}: {}: expected {}, got {}", trace_, line, place, expected, got);
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

}  // namespace tracebed
