// What FlatBuffers' own verifier leaves out: it checks the alignment of a vector's length, not that
// of the elements after it.
#pragma once

#include <cstdint>
#include <flatbuffers/flatbuffers.h>
#include <type_traits>

namespace tracebed {

// The buffer that holds `vector` begins at a multiple of 8. An empty vector may be anywhere.
template <class Vector>
bool has_aligned_elements(const Vector& vector) {
  using Element = std::remove_pointer_t<typename Vector::return_type>;
  return vector.size() == 0 ||
         reinterpret_cast<std::uintptr_t>(vector.Data()) % alignof(Element) == 0;
}

}  // namespace tracebed
