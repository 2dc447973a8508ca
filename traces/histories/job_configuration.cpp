#include "traces/histories/job_configuration.h"

#include <array>
#include <cstdint>
#include <filesystem>
#include <fmt/format.h>
#include <pugixml.hpp>

#include "core/text.h"
#include "system/utf8.h"
#include "traces/parts/bad_rows.h"
#include "traces/parts/text_numbers.h"

namespace tracebed {
namespace {

// Configurations have a few hundred kilobytes.
constexpr std::uintmax_t file_bytes_max = 64 << 20;

enum class Kind { name, amount, share };

struct Property {
  std::string_view name;
  Kind kind;
};
constexpr std::array<Property, 6> properties = {{{queue_property, Kind::name},
                                                 {map_memory_property, Kind::amount},
                                                 {reduce_memory_property, Kind::amount},
                                                 {map_vcores_property, Kind::amount},
                                                 {reduce_vcores_property, Kind::amount},
                                                 {slow_start_property, Kind::share}}};

// Puts the value in, if it says anything; or what was expected instead.
std::string_view take(const Property& property, std::string_view value, JobConfiguration& to) {
  constexpr std::int64_t amount_max = 1 << 26;
  bool says_something = !value.empty();
  if (property.kind == Kind::amount) {
    const Whole amount = read_whole(value);
    if (amount.fault != NumberFault::none || amount.value > amount_max) return "a whole number";
    says_something = amount.value > 0;
  } else if (property.kind == Kind::share) {
    const Decimal share = read_decimal(value);
    if (share.fault != NumberFault::none || share.millionths < 0 ||
        share.millionths > millionths_per_one) {
      return "a number from 0 to 1";
    }
  } else if (!is_utf8(value)) {
    return "a name in UTF-8";
  }
  // Of a property that stands there twice the later one counts, as in Hadoop.
  if (says_something) to.insert_or_assign(std::string(property.name), std::string(value));
  return {};
}

}  // namespace

std::filesystem::path configuration_beside(const std::string& history_file,
                                           const std::string& job) {
  return std::filesystem::path(history_file).replace_filename(job + "_conf.xml");
}

Result<JobConfiguration> read_job_configuration(const std::string& history_file,
                                                const std::string& job) {
  const std::filesystem::path path = configuration_beside(history_file, job);
  JobConfiguration found;
  std::error_code failure;
  if (job.find('/') != std::string::npos) return found;  // no name of a file in that folder
  if (!std::filesystem::is_regular_file(path, failure)) return found;
  if (std::filesystem::file_size(path, failure) > file_bytes_max || failure) {
    return Error{fmt::format("{}: expected a job's configuration of at most {} bytes",
                             path.string(), file_bytes_max)};
  }
  pugi::xml_document document;
  const pugi::xml_parse_result parsed = document.load_file(path.c_str());
  if (!parsed) {
    return Error{fmt::format("{}: byte {}: expected a job's configuration in XML, got: {}",
                             path.string(), parsed.offset, parsed.description())};
  }
  const pugi::xml_node configuration = document.child("configuration");
  if (configuration.empty()) {
    return Error{fmt::format("{}: expected the element configuration, got '{}'", path.string(),
                             document.document_element().name())};
  }
  for (const pugi::xml_node node : configuration.children("property")) {
    const std::string_view name = trimmed(node.child_value("name"));
    const std::string_view value = trimmed(node.child_value("value"));
    for (const Property& property : properties) {
      if (property.name != name) continue;
      const std::string_view expected = take(property, value, found);
      if (expected.empty()) continue;
      return Error{fmt::format("{}: byte {}: {}: expected {}, got {}", path.string(),
                               node.offset_debug(), name, expected, shown(value))};
    }
  }
  return found;
}

}  // namespace tracebed
