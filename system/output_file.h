// What a command writes to a path that its user gives: a file that appears under its name
// completely or not at all, a device or a pipe that is written to, or standard output ("-").
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "system/file_descriptor.h"

namespace tracebed {

// "-" among the files that a command is given.
inline constexpr std::string_view standard_stream = "-";

class OutputFile {
 public:
  // A regular file, or one that does not exist yet, is written beside its place and keeps its
  // permissions; a symbolic link is kept, and the file that it leads to is replaced. Devices and
  // pipes are opened as they are; a FIFO waits for its reader. `/dev/fd/N` is that descriptor.
  // Throws EnvironmentError, naming the path and the reason.
  explicit OutputFile(std::string path);
  // Discards what was written unless finish() was called; a device or pipe cannot.
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  // Throws EnvironmentError if not everything could be written.
  void write(std::string_view bytes);
  // Puts the file in its place. Throws EnvironmentError; then the previous file is unchanged.
  void finish();

 private:
  void open_draft(unsigned mode);
  [[noreturn]] void fail(int error) const;

  std::string path_;  // for messages
  FileDescriptor file_;
  std::string target_;  // of a regular file: its place, links resolved; empty of a stream
  std::string draft_;   // written, and not yet in its place
};

// A whole file. Throws EnvironmentError as OutputFile does.
void write_output_file(const std::string& path, std::string_view bytes);

// Whether what is written to `path` cannot be read again: a device, a pipe, a descriptor or
// standard output.
bool is_output_stream(const std::string& path);

// Whether `path` is where standard output goes, so that messages must go elsewhere.
bool is_standard_output(const std::string& path);

// Throws InputError, naming both, if `output` is one of the files `inputs`, under any name (device
// and inode are compared): writing it would destroy the input. Files that do not exist are
// different, and a character device may be both.
void expect_other_file(const std::string& output, const std::vector<std::string>& inputs);

}  // namespace tracebed
