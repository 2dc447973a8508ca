#include "coordinator/cli/duration_flag.h"

#include "system/quantities.h"

namespace tracebed {

void add_duration_flag(CLI::App& command, const std::string& name, std::optional<Duration>& value,
                       const std::string& description) {
  command
      .add_option_function<std::string>(
          name,
          [name, &value](const std::string& text) {
            const Result<Duration> duration = parse_duration(text);
            if (!duration) {
              throw CLI::ValidationError(name, "expected " + std::string(duration_form) + ", got " +
                                                   text + ": " + duration.error().message);
            }
            value = *duration;
          },
          description)
      ->type_name("DURATION");
}

}  // namespace tracebed
