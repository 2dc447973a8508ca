// A descriptor that one thread makes readable for another that polls (eventfd(2)).
#pragma once

#include "system/file_descriptor.h"

namespace tracebed {

class EventDescriptor {
 public:
  // Throws EnvironmentError if there are no descriptors left.
  EventDescriptor();

  // Readable after ring(), until clear().
  int number() const { return descriptor_.number(); }
  void ring() const;
  void clear() const;

 private:
  FileDescriptor descriptor_;
};

}  // namespace tracebed
