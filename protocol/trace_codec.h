// The chunks of a binary trace: byte strings that hold the trace's origin, its machines, or many
// consecutive jobs. Chunks of jobs also carry the names of users and queues that are new since the
// previous one, so the file can be read without what it was made from.
//
// The decoded data equals the encoded data, with jobs numbered by their position. Bytes to decode
// begin at a multiple of eight; they are verified as a whole (structure, counts, ranges, order)
// before anything is used, and an error completes the sentence "the chunk should have …".
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/machines.h"
#include "core/names.h"
#include "core/result.h"
#include "core/workload.h"

namespace tracebed {

struct TraceOrigin {
  std::string source;                                      // the file that it was made from
  std::string format;                                      // of that file
  std::vector<std::string> dimensions;                     // of resources, beyond vcores and memory
  std::vector<std::pair<std::string, std::string>> rules;  // that supplied what the format lacks

  bool operator==(const TraceOrigin&) const = default;
};

std::vector<std::byte> encode_origin(const TraceOrigin& origin);
Status decode_origin(std::span<const std::byte> chunk, TraceOrigin& origin);

// `dimensions`, where chunks are decoded, is the number of those beyond vcores and memory.
std::vector<std::byte> encode_machines(std::span<const Machine> machines,
                                       std::span<const MachineChange> changes);
Status decode_machines(std::span<const std::byte> chunk, std::size_t dimensions,
                       std::vector<Machine>& machines, std::vector<MachineChange>& changes);

class JobChunkEncoder {
 public:
  // `names` holds the users and queues of all jobs by the time they are added, and outlives this.
  explicit JobChunkEncoder(const Names& names);
  ~JobChunkEncoder();
  JobChunkEncoder(const JobChunkEncoder&) = delete;
  JobChunkEncoder& operator=(const JobChunkEncoder&) = delete;

  void add(const Job& job);
  bool is_empty() const;
  // The approximate size of the chunk of the jobs added so far.
  std::size_t bytes() const;
  // Makes a chunk of the jobs added since the last one. The bytes are valid until the next call.
  std::span<const std::byte> finish_chunk();

 private:
  struct Columns;
  std::unique_ptr<Columns> columns_;
};

class JobChunkDecoder {
 public:
  // Interns in `names`, which outlives this. `dimensions` as above.
  JobChunkDecoder(Names& names, std::size_t dimensions);
  ~JobChunkDecoder();
  JobChunkDecoder(const JobChunkDecoder&) = delete;
  JobChunkDecoder& operator=(const JobChunkDecoder&) = delete;

  // Takes the next chunk, whose bytes must stay valid until the next call. After an error the
  // decoder's position is unchanged.
  Status load(std::span<const std::byte> chunk);
  // Fills `job` with the chunk's next one, or returns false after its last.
  bool next(Job& job);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace tracebed
