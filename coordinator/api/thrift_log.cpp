#include "coordinator/api/thrift_log.h"

#include <algorithm>
#include <chrono>
#include <spdlog/spdlog.h>
#include <string>
#include <thrift/TOutput.h>

#include "core/check.h"

namespace tracebed {
namespace {

// The library calls a function without an argument of ours.
ThriftLog* current = nullptr;

// Lines of one kind differ in numbers: of ports, sizes, sockets.
std::string kind_of(std::string_view message) {
  std::string kind;
  for (const char c : message) {
    const bool is_digit = c >= '0' && c <= '9';
    if (!is_digit) kind += c;
    if (is_digit && !kind.ends_with('#')) kind += '#';
  }
  return kind;
}

}  // namespace

void silence_thrift() {
  apache::thrift::GlobalOutput.setOutputFunction([](const char*) {});
}

ThriftLog::ThriftLog() {
  TRACEBED_CHECK(current == nullptr, "Thrift's library has one output");
  current = this;
  apache::thrift::GlobalOutput.setOutputFunction(
      [](const char* message) { current->write(message); });
}

ThriftLog::~ThriftLog() {
  silence_thrift();
  current = nullptr;
}

void ThriftLog::write(std::string_view message) {
  {
    const std::lock_guard lock(mutex_);
    if (!limit_.admits(kind_of(message), std::chrono::steady_clock::now())) return;
  }
  spdlog::info("thrift: {}", message);
}

void ThriftLog::tell_left_out(LineLimit::Moment now) {
  std::vector<LineLimit::LeftOut> left_out;
  {
    const std::lock_guard lock(mutex_);
    left_out = limit_.take_left_out(now);
  }
  for (const LineLimit::LeftOut& of_kind : left_out) {
    spdlog::info("thrift: {} more lines like this within {} s: {}", of_kind.lines,
                 LineLimit::window.count(), of_kind.kind);
  }
}

}  // namespace tracebed
