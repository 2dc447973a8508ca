#include "system/file_descriptor.h"

#include <system_error>
#include <unistd.h>

namespace tracebed {

void FileDescriptor::reset(int number) {
  // EINTR is not retried: Linux has freed the number by then (close(2)).
  if (number_ >= 0) close(number_);
  number_ = number;
}

std::string error_text(int error_number) {
  return std::generic_category().message(error_number);
}

}  // namespace tracebed
