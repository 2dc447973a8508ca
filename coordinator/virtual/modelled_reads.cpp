#include "coordinator/virtual/modelled_reads.h"

#include <algorithm>
#include <utility>

#include "coordinator/virtual/rack_numbers.h"
#include "core/check.h"

namespace tracebed {

ModelledReads::ModelledReads(const std::vector<Machine>& machines, Datanodes& datanodes)
    : datanodes_(datanodes), rack_of_(rack_numbers(machines)), sent_(machines.size()) {}

NodeId ModelledReads::first_up(const Piece& piece) const {
  const auto found = std::find_if(piece.servers.begin(), piece.servers.end(),
                                  [&](NodeId node) { return datanodes_.is_up(node); });
  return found == piece.servers.end() ? NodeId() : *found;
}

bool ModelledReads::has_memory(const Read& read) const {
  return read.memory && datanodes_.is_up(*read.memory);
}

bool ModelledReads::plan(ContainerId container, NodeId reader, const Part& part) {
  Read read;
  read.reader = reader;
  read.memory = part.memory;
  read.length = part.length;
  read.weight = part.weight;
  std::int64_t left = read.length;
  for (const LocatedBlock& block : part.located) {
    const std::int64_t begin = part.offset + (read.length - left);
    const std::int64_t end = block.offset + block.block.length;
    if (left == 0 || begin < block.offset || begin >= end || block.is_corrupt) break;
    Piece piece{block.nodes, std::min(left, end - begin)};
    if (!first_up(piece).is_valid() && !has_memory(read)) break;
    left -= piece.bytes;
    read.pieces.push_back(std::move(piece));
  }
  if (left > 0) return false;
  reads_.emplace(container, std::move(read));
  return true;
}

void ModelledReads::start(ContainerId container, TraceTime now, TraceTime due,
                          std::vector<Outcome>& outcomes) {
  Read& read = reads_.at(container);
  read.begun = now;
  read.run_time = due - now;
  read.end_of_current = read.pieces.front().bytes;
  if (!begin_piece(container, read, now)) outcomes.push_back({container, true});
}

bool ModelledReads::begin_piece(ContainerId container, Read& read, TraceTime now) {
  read.is_from_memory = has_memory(read);
  read.server = read.is_from_memory ? *read.memory : first_up(read.pieces[read.current]);
  if (!read.server.is_valid()) return false;
  const FlowDemand demand{
      .bytes = read.end_of_current - read.received, .due = due_of(read), .weight = read.weight};
  read.transfer = read.is_from_memory
                      ? datanodes_.begin_memory_read(read.server, read.reader, demand, now)
                      : datanodes_.begin_read(read.server, read.reader, demand, now);
  readers_.emplace(read.transfer, container);
  return true;
}

TraceTime ModelledReads::due_of(const Read& read) {
  __extension__ using Wide = __int128;
  const auto until =
      static_cast<std::int64_t>(Wide{read.run_time.count()} * read.end_of_current / read.length);
  return read.begun + microseconds(until);
}

void ModelledReads::pace(ContainerId container, Duration run_time, TraceTime due, TraceTime now) {
  const auto found = reads_.find(container);
  if (found == reads_.end() || !found->second.server.is_valid()) return;
  Read& read = found->second;
  read.begun = due - run_time;
  read.run_time = run_time;
  datanodes_.pace(read.transfer, due_of(read), now);
}

void ModelledReads::count(Read& read, std::int64_t bytes) {
  read.received += bytes;
  if (read.is_from_memory) return;
  const auto add = [&](std::int64_t ReadBytes::*distance) {
    read.read.*distance += bytes;
    sent_[read.server.index()].*distance += bytes;
  };
  if (read.server == read.reader) {
    add(&ReadBytes::node_local);
  } else if (rack_of_[read.server.index()] == rack_of_[read.reader.index()]) {
    add(&ReadBytes::rack_local);
  } else {
    add(&ReadBytes::off_rack);
  }
}

void ModelledReads::stop_transfer(Read& read, TraceTime now) {
  if (!read.server.is_valid()) return;
  readers_.erase(read.transfer);
  count(read, datanodes_.cancel_read(read.transfer, now));
}

double ModelledReads::part_read(ContainerId container, TraceTime now) const {
  const auto found = reads_.find(container);
  if (found == reads_.end()) return 1;
  const Read& read = found->second;
  if (!read.server.is_valid()) return 0;
  const std::int64_t bytes = read.received + datanodes_.sent_so_far(read.transfer, now);
  return static_cast<double>(bytes) / static_cast<double>(read.length);
}

ReadBytes ModelledReads::end(ContainerId container, TraceTime now) {
  if (const auto whole = whole_.find(container); whole != whole_.end()) {
    const ReadBytes read = whole->second;
    whole_.erase(whole);
    return read;
  }
  const auto found = reads_.find(container);
  if (found == reads_.end()) return {};
  stop_transfer(found->second, now);
  const ReadBytes read = found->second.read;
  reads_.erase(found);
  return read;
}

ReadBytes ModelledReads::end_untimed(ContainerId container, std::int64_t bytes) {
  const auto found = reads_.find(container);
  if (found == reads_.end()) return {};
  Read& read = found->second;
  for (const Piece& piece : read.pieces) {
    read.is_from_memory = has_memory(read);
    read.server = read.is_from_memory ? *read.memory : first_up(piece);
    if (!read.server.is_valid()) read.server = piece.servers.front();  // it was up at the launch
    count(read, std::min(bytes - read.received, piece.bytes));
  }
  const ReadBytes all = read.read;
  reads_.erase(found);
  return all;
}

void ModelledReads::sent(std::uint64_t transfer, TraceTime now, std::vector<Outcome>& outcomes) {
  const auto reader = readers_.find(transfer);
  TRACEBED_CHECK(reader != readers_.end(), "what is sent is for a task that reads");
  const ContainerId container = reader->second;
  readers_.erase(reader);
  const auto found = reads_.find(container);
  Read& read = found->second;
  count(read, read.end_of_current - read.received);
  if (++read.current == read.pieces.size()) {
    whole_.emplace(container, read.read);
    reads_.erase(found);
    return outcomes.push_back({container, false});
  }
  read.end_of_current += read.pieces[read.current].bytes;
  if (!begin_piece(container, read, now)) outcomes.push_back({container, true});
}

void ModelledReads::leave(NodeId server, TraceTime now, std::vector<Outcome>& outcomes) {
  for (auto& [container, read] : reads_) {
    if (read.server != server) continue;
    stop_transfer(read, now);
    if (!begin_piece(container, read, now)) outcomes.push_back({container, true});
  }
}

ReadBytes ModelledReads::sent() const {
  ReadBytes all;
  for (const ReadBytes& sent : sent_) all += sent;
  return all;
}

}  // namespace tracebed
