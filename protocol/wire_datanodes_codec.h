// The messages of datanodes, in both directions. Private to the wire codec.
#pragma once

#include <flatbuffers/flatbuffers.h>

#include "protocol/wire_messages.h"
#include "protocol/wire_reader.h"
#include "wire_generated.h"

namespace tracebed::wire {

flatbuffers::Offset<void> body(flatbuffers::FlatBufferBuilder& builder, const FromDatanode& from);
flatbuffers::Offset<void> body(flatbuffers::FlatBufferBuilder& builder, const ToDatanode& to);

Body read(Reader& reader, const fb::FromDatanode& from);
Body read(Reader& reader, const fb::ToDatanode& to);

}  // namespace tracebed::wire
