// A parameter of a scheduler's file that a control loop may change while the scheduler runs: the
// part of a leaf queue that its application masters may take. Shares are parts per million.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "core/resources.h"
#include "core/result.h"
#include "core/xml_element.h"

namespace tracebed {

// What a file says of a queue.
struct TunedQueue {
  std::string path;        // of the leaf, in full
  std::int64_t share = 0;  // that is in force for it; negative: without limit
};

struct TunedParameter {
  std::string_view name;     // as the file has it
  std::string_view setting;  // that names the file
  // Finds a leaf by its path, or by its name if only one leaf has it; without a name, the only
  // leaf. Fails with a sentence.
  std::function<Result<TunedQueue>(const XmlElement& file, const ResourceDimensions& dimensions,
                                   std::string_view queue)>
      find;
  // The file with another share for this leaf, and for no other. The file is one that find() takes,
  // the path one that it gave.
  std::function<XmlElement(XmlElement file, std::string_view path, std::int64_t share)> write;
};

// "0.525", with as many digits as it needs.
std::string share_text(std::int64_t share);

}  // namespace tracebed
