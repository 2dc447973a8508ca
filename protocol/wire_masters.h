// The messages of masters in containers, in both directions. Private to the wire codec.
#pragma once

#include <flatbuffers/flatbuffers.h>

#include "protocol/wire_messages.h"
#include "protocol/wire_reader.h"
#include "wire_generated.h"

namespace tracebed::wire {

using Builder = flatbuffers::FlatBufferBuilder;
using BodyOffset = flatbuffers::Offset<void>;

BodyOffset body(Builder& builder, const LaunchMaster& launch);
BodyOffset body(Builder& builder, const MasterHello& hello);
BodyOffset body(Builder& builder, const MasterJob& job);
BodyOffset body(Builder& builder, const MasterCall& call);
BodyOffset body(Builder& builder, const MasterAnswer& answer);

Body read(Reader& reader, const fb::LaunchMaster& launch);
Body read(Reader& reader, const fb::MasterHello& hello);
Body read(Reader& reader, const fb::MasterJob& job);
Body read(Reader& reader, const fb::MasterCall& call);
Body read(Reader& reader, const fb::MasterAnswer& answer);

}  // namespace tracebed::wire
