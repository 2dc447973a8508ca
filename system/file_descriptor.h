// A kernel object that this process holds by number: closed once, by its owner.
#pragma once

#include <string>
#include <utility>

namespace tracebed {

class FileDescriptor {
 public:
  FileDescriptor() = default;
  // Takes ownership; a negative number is "none".
  explicit FileDescriptor(int number) : number_(number) {}
  FileDescriptor(FileDescriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    if (this != &other) reset(std::exchange(other.number_, -1));
    return *this;
  }
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;
  ~FileDescriptor() { reset(); }

  int number() const { return number_; }
  bool is_open() const { return number_ >= 0; }
  void reset(int number = -1);
  // Gives ownership away.
  [[nodiscard]] int release() { return std::exchange(number_, -1); }

 private:
  int number_ = -1;
};

// "No such file or directory", for messages that people read.
std::string error_text(int error_number);

}  // namespace tracebed
