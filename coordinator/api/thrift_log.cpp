#include "coordinator/api/thrift_log.h"

#include <spdlog/spdlog.h>
#include <thrift/TOutput.h>

namespace tracebed {

void silence_thrift() {
  apache::thrift::GlobalOutput.setOutputFunction([](const char*) {});
}

void log_thrift() {
  apache::thrift::GlobalOutput.setOutputFunction(
      [](const char* message) { spdlog::info("thrift: {}", message); });
}

}  // namespace tracebed
