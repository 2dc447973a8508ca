// What FlatBuffers' own verifier leaves out: it checks where a vector's length stands, not that the
// elements after it lie where numbers and structs of their kind may be read.
#pragma once

#include <cstdint>
#include <flatbuffers/flatbuffers.h>
#include <type_traits>

namespace tracebed {

// The buffer that holds `vector` begins at a multiple of 8. An empty vector may stand anywhere.
template <class Vector>
bool has_aligned_elements(const Vector& vector) {
  using Element = std::remove_pointer_t<typename Vector::return_type>;
  return vector.size() == 0 ||
         reinterpret_cast<std::uintptr_t>(vector.Data()) % alignof(Element) == 0;
}

}  // namespace tracebed
