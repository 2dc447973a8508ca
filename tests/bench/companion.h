// A process beside the benchmark's own, so that what each takes can be told apart and each has its
// own descriptors. The two talk over a stream; a failure of either end ends the benchmark.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <span>
#include <stdexcept>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <type_traits>
#include <unistd.h>
#include <utility>
#include <vector>

#include "system/file_descriptor.h"

namespace tracebed::bench {

class Line {
 public:
  explicit Line(FileDescriptor end) : end_(std::move(end)) {}

  template <class Value>
  void tell(const Value& value) const {
    static_assert(std::is_trivially_copyable_v<Value>);
    tell_bytes(std::as_bytes(std::span(&value, 1)));
  }
  void tell_all(const std::vector<double>& values) const {
    tell(values.size());
    tell_bytes(std::as_bytes(std::span(values)));
  }
  template <class Value>
  Value hear() const {
    Value value;
    hear_bytes(std::as_writable_bytes(std::span(&value, 1)));
    return value;
  }
  std::vector<double> hear_all() const {
    std::vector<double> values(hear<std::size_t>());
    hear_bytes(std::as_writable_bytes(std::span(values)));
    return values;
  }
  void hang_up() { end_.reset(); }

 private:
  void tell_bytes(std::span<const std::byte> bytes) const {
    while (!bytes.empty()) {
      const ssize_t sent = send(end_.number(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent <= 0) throw std::runtime_error("the other process is gone");
      bytes = bytes.subspan(static_cast<std::size_t>(sent));
    }
  }
  void hear_bytes(std::span<std::byte> bytes) const {
    while (!bytes.empty()) {
      const ssize_t got = read(end_.number(), bytes.data(), bytes.size());
      if (got <= 0) throw std::runtime_error("the other process is gone");
      bytes = bytes.subspan(static_cast<std::size_t>(got));
    }
  }

  FileDescriptor end_;
};

// Runs body(line) in a child process; hangs up and waits for it when it is destroyed.
class Companion {
 public:
  template <class Body>
  explicit Companion(Body&& body) : line_(FileDescriptor()) {
    int ends[2] = {-1, -1};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
      throw std::runtime_error("no socket pair");
    }
    line_ = Line(FileDescriptor(ends[0]));
    Line theirs{FileDescriptor(ends[1])};
    process_ = fork();
    if (process_ < 0) throw std::runtime_error("no other process can be made");
    if (process_ > 0) return;
    line_.hang_up();
    try {
      body(std::as_const(theirs));
    } catch (const std::exception&) {
      std::_Exit(1);  // the one that talks to us says what happened
    }
    std::_Exit(0);
  }
  ~Companion() {
    line_.hang_up();
    waitpid(process_, nullptr, 0);
  }
  Companion(const Companion&) = delete;
  Companion& operator=(const Companion&) = delete;

  const Line& line() const { return line_; }

 private:
  Line line_;
  pid_t process_ = -1;
};

// Of this process, so far.
inline std::int64_t cpu_microseconds() {
  rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  const auto of = [](const timeval& time) { return time.tv_sec * 1'000'000 + time.tv_usec; };
  return of(usage.ru_utime) + of(usage.ru_stime);
}

}  // namespace tracebed::bench
