#include "coordinator/config/calibration_file.h"

#include <array>
#include <fmt/format.h>
#include <string_view>

#include "coordinator/config/text_file.h"
#include "core/digest.h"
#include "core/input_error.h"
#include "system/quantities.h"
#include "system/toml_value.h"

namespace tracebed {
namespace {

constexpr std::size_t file_bytes_max = 64 << 10;
constexpr std::string_view file_format = "tracebed-calibration";
constexpr std::array<std::string_view, 1> formats{file_format};

void add(Digest& digest, std::string_view text) {
  digest.add(std::uint64_t{text.size()});
  for (const char byte : text) digest.add(std::uint64_t{static_cast<unsigned char>(byte)});
}

std::string spread_text(double spread) {
  return fmt::format("{:.3f}", spread);
}

// Of the values as they are written, so that a file that was read and written again has the same.
std::string checksum_of(const Calibration& calibration) {
  Digest digest;
  for (const std::string& text :
       {calibration.machine, calibration.processor, calibration.isolation,
        duration_text(calibration.launch_latency), spread_text(calibration.launch_spread),
        duration_text(calibration.task_overhead), spread_text(calibration.task_overhead_spread)}) {
    add(digest, text);
  }
  digest.add(calibration.processors);
  digest.add(calibration.tasks);
  if (calibration.master_startup) {
    add(digest, duration_text(calibration.master_startup->median));
    add(digest, spread_text(calibration.master_startup->spread));
  }
  return digest.to_string();
}

// What a TOML string would have to escape is replaced, and bytes that may not be UTF-8.
std::string plain(std::string text) {
  for (char& letter : text) {
    if (letter == '"' || letter == '\\' || letter < ' ' || letter > '~') letter = '_';
  }
  return text;
}

std::string startup_lines(const Calibration& calibration) {
  if (!calibration.master_startup) return {};
  return fmt::format(
      "master_startup = \"{}\"  # from the process of a master in a container to its registration\n"
      "master_startup_spread = {}\n",
      duration_text(calibration.master_startup->median),
      spread_text(calibration.master_startup->spread));
}

constexpr std::array calibration_keys{
    TomlKey<Calibration>{"format",
                         [](const TomlValue& value, Calibration&) { (void)value.choice(formats); },
                         Presence::required},
    TomlKey<Calibration>{"version",
                         [](const TomlValue& value, Calibration&) { (void)value.integer(1, 1); },
                         Presence::required},
    TomlKey<Calibration>{"machine",
                         [](const TomlValue& value, Calibration& calibration) {
                           calibration.machine = value.text();
                         },
                         Presence::required},
    TomlKey<Calibration>{"processor",
                         [](const TomlValue& value, Calibration& calibration) {
                           calibration.processor = value.text();
                         },
                         Presence::required},
    TomlKey<Calibration>{"processors",
                         [](const TomlValue& value, Calibration& calibration) {
                           calibration.processors = value.integer(1, 1'000'000);
                         },
                         Presence::required},
    TomlKey<Calibration>{"isolation",
                         [](const TomlValue& value, Calibration& calibration) {
                           calibration.isolation = value.text();
                         },
                         Presence::required},
    TomlKey<Calibration>{"tasks",
                         [](const TomlValue& value, Calibration& calibration) {
                           calibration.tasks = value.integer(1, std::int64_t{1} << 40);
                         },
                         Presence::required},
    TomlKey<Calibration>{"launch_latency",
                         [](const TomlValue& value, Calibration& calibration) {
                           calibration.launch_latency = value.duration({}, seconds(60));
                         },
                         Presence::required},
    TomlKey<Calibration>{"launch_spread",
                         [](const TomlValue& value, Calibration& calibration) {
                           calibration.launch_spread = value.number(1, 1000);
                         },
                         Presence::required},
    TomlKey<Calibration>{"task_overhead",
                         [](const TomlValue& value, Calibration& calibration) {
                           calibration.task_overhead = value.duration({}, seconds(60));
                         },
                         Presence::required},
    TomlKey<Calibration>{"task_overhead_spread",
                         [](const TomlValue& value, Calibration& calibration) {
                           calibration.task_overhead_spread = value.number(1, 1000);
                         },
                         Presence::required},
    TomlKey<Calibration>{"master_startup",
                         [](const TomlValue& value, Calibration& calibration) {
                           calibration.master_startup.emplace().median =
                               value.duration({}, seconds(60));
                         }},
    TomlKey<Calibration>{"master_startup_spread",
                         [](const TomlValue& value, Calibration& calibration) {
                           if (!calibration.master_startup) {
                             value.fail("expected master_startup beside it");
                           }
                           calibration.master_startup->spread = value.number(1, 1000);
                         }},
    TomlKey<Calibration>{"checksum",
                         [](const TomlValue& value, Calibration& calibration) {
                           const std::string checksum = value.text();
                           const std::string expected = checksum_of(calibration);
                           if (checksum == expected) return;
                           value.fail(fmt::format(
                               "expected {}, got {}: the file was damaged or changed after it was "
                               "written; to try other values, give them in [virtual] without it",
                               expected, checksum));
                         },
                         Presence::required},
};

}  // namespace

std::string to_toml(const Calibration& calibration) {
  Calibration written = calibration;
  for (std::string* text : {&written.machine, &written.processor, &written.isolation}) {
    *text = plain(*text);
  }
  return fmt::format(
      R"(# Written by `tracebed calibrate`. An experiment's virtual world takes it by
#   [virtual]
#   calibration = "THIS FILE"
# Times are wall time: medians of log-normal distributions, and their 95th percentile over them.
format = "{}"
version = 1
machine = "{}"
processor = "{}"
processors = {}
isolation = "{}"
tasks = {}
launch_latency = "{}"  # from the launch command to the running process
launch_spread = {}
task_overhead = "{}"  # by how much a task without contention lasts longer than its work
task_overhead_spread = {}
{}checksum = "{}"
)",
      file_format, written.machine, written.processor, written.processors, written.isolation,
      written.tasks, duration_text(written.launch_latency), spread_text(written.launch_spread),
      duration_text(written.task_overhead), spread_text(written.task_overhead_spread),
      startup_lines(written), checksum_of(written));
}

Calibration read_calibration(const std::filesystem::path& file) {
  Calibration calibration;
  const toml::table table = parse_toml(read_text_file(file, file_bytes_max), file.string());
  read_table<Calibration>(table, "", calibration_keys, calibration);
  return calibration;
}

}  // namespace tracebed
