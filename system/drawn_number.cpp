#include "system/drawn_number.h"

#include <fcntl.h>
#include <string>
#include <unistd.h>

#include "core/input_error.h"
#include "system/file_descriptor.h"

namespace tracebed {

std::uint64_t drawn_number() {
  constexpr const char* source = "/dev/urandom";
  const FileDescriptor file(open(source, O_RDONLY | O_CLOEXEC));
  std::uint64_t number = 0;
  while (number == 0) {
    if (!file.is_open() || read(file.number(), &number, sizeof(number)) != sizeof(number)) {
      throw EnvironmentError(std::string(source) + " cannot be read");
    }
  }
  return number;
}

}  // namespace tracebed
