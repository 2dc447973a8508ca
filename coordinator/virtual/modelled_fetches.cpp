#include "coordinator/virtual/modelled_fetches.h"

#include <algorithm>

#include "coordinator/virtual/rack_numbers.h"
#include "core/check.h"
#include "core/mix.h"
#include "core/shuffle_work.h"
#include "core/transfer_weight.h"

namespace tracebed {

ModelledFetches::ModelledFetches(const std::vector<Machine>& machines, std::uint64_t seed,
                                 ModelledReads::Datanodes& datanodes)
    : seed_(seed), datanodes_(datanodes), rack_of_(rack_numbers(machines)) {}

// ---- commands ----

void ModelledFetches::ready(const MapOutputReady& output, TraceTime now) {
  Exchange& exchange = exchanges_[{output.job, output.stage}];
  if (exchange.outputs.size() <= output.source) exchange.outputs.resize(output.source + 1);
  // The machine may have failed since the task ended there.
  if (!datanodes_.is_up(output.node)) return;
  exchange.outputs[output.source] = output.node;
  for (const ContainerId container : exchange.fetching) {
    Fetch& fetch = fetches_.at(container);
    fetch.schedule.add(output.source, output.node.value());
    request(container, fetch, now);
  }
}

void ModelledFetches::remove(JobId job) {
  const auto begin = exchanges_.lower_bound({job, 0});
  auto end = begin;
  while (end != exchanges_.end() && end->first.first == job) ++end;
  exchanges_.erase(begin, end);
}

// ---- tasks ----

void ModelledFetches::plan(ContainerId container, NodeId node, const TaskWork& work) {
  const ExchangeId exchange{shuffle_job_of(work), work.shuffle_stage};
  fetches_.emplace(container, Fetch{node,
                                    exchange,
                                    FetchSchedule(work, mix(seed_ ^ container.value())),
                                    flow_weight(work),
                                    false,
                                    {},
                                    {}});
}

void ModelledFetches::start(ContainerId container, TraceTime now) {
  const auto found = fetches_.find(container);
  if (found == fetches_.end() || found->second.has_started) return;
  Fetch& fetch = found->second;
  fetch.has_started = true;
  Exchange& exchange = exchanges_[fetch.exchange];
  exchange.fetching.insert(container);
  add_ready(exchange, fetch);
  request(container, fetch, now);
}

ReadBytes ModelledFetches::end(ContainerId container, TraceTime now) {
  if (const auto whole = whole_.find(container); whole != whole_.end()) {
    const ReadBytes read = whole->second;
    whole_.erase(whole);
    return read;
  }
  const auto found = fetches_.find(container);
  if (found == fetches_.end()) return {};
  Fetch& fetch = found->second;
  while (!fetch.transfers.empty()) cancel(fetch, fetch.transfers.begin()->first, now);
  leave_exchange(container, fetch);
  const ReadBytes read = fetch.read;
  fetches_.erase(found);
  return read;
}

ReadBytes ModelledFetches::end_untimed(ContainerId container, std::int64_t bytes) {
  const auto found = fetches_.find(container);
  if (found == fetches_.end()) return {};
  Fetch& fetch = found->second;
  const auto exchange = exchanges_.find(fetch.exchange);
  std::int64_t left = std::min(bytes, fetch.schedule.length());
  if (exchange != exchanges_.end()) {
    const std::vector<NodeId>& outputs = exchange->second.outputs;
    for (std::uint32_t source = 0; source < outputs.size() && left > 0; ++source) {
      if (!outputs[source].is_valid()) continue;
      const std::int64_t part = std::min(left, fetch.schedule.part_of(source).bytes);
      count(fetch, outputs[source], part);
      left -= part;
    }
  }
  const ReadBytes read = fetch.read;
  fetches_.erase(found);
  return read;
}

double ModelledFetches::part_fetched(ContainerId container, TraceTime now) const {
  const auto found = fetches_.find(container);
  if (found == fetches_.end()) return 1;
  const Fetch& fetch = found->second;
  std::int64_t bytes = fetch.schedule.fetched();
  for (const auto& [host, transfer] : fetch.transfers) {
    bytes += datanodes_.sent_so_far(transfer, now);
  }
  return static_cast<double>(bytes) / static_cast<double>(fetch.schedule.length());
}

// ---- fetching ----

void ModelledFetches::add_ready(const Exchange& exchange, Fetch& fetch) {
  for (std::uint32_t source = 0; source < exchange.outputs.size(); ++source) {
    const NodeId node = exchange.outputs[source];
    if (node.is_valid()) fetch.schedule.add(source, node.value());
  }
}

void ModelledFetches::request(ContainerId container, Fetch& fetch, TraceTime now) {
  while (const auto next = fetch.schedule.next()) {
    const NodeId host(next->host);
    const FlowDemand demand{.bytes = next->bytes, .due = now, .weight = fetch.weight};
    const std::uint64_t transfer = datanodes_.begin_read(host, fetch.node, demand, now);
    fetch.transfers.emplace(host, transfer);
    requests_.emplace(transfer, std::pair(container, host));
  }
}

void ModelledFetches::count(Fetch& fetch, NodeId host, std::int64_t bytes) const {
  if (host == fetch.node) {
    fetch.read.node_local += bytes;
  } else if (rack_of_[host.index()] == rack_of_[fetch.node.index()]) {
    fetch.read.rack_local += bytes;
  } else {
    fetch.read.off_rack += bytes;
  }
}

void ModelledFetches::take(Fetch& fetch, NodeId host, std::int64_t bytes) {
  fetch.transfers.erase(host);
  count(fetch, host, fetch.schedule.end(host.value(), bytes));
}

void ModelledFetches::cancel(Fetch& fetch, NodeId host, TraceTime now) {
  const std::uint64_t transfer = fetch.transfers.at(host);
  requests_.erase(transfer);
  take(fetch, host, datanodes_.cancel_read(transfer, now));
}

void ModelledFetches::sent(std::uint64_t transfer, TraceTime now) {
  const auto found = requests_.find(transfer);
  TRACEBED_CHECK(found != requests_.end(), "what is sent is for a task that fetches");
  const auto [container, host] = found->second;
  requests_.erase(found);
  Fetch& fetch = fetches_.at(container);
  take(fetch, host, fetch.schedule.length());
  request(container, fetch, now);
  finish_if_whole(container);
}

void ModelledFetches::finish_if_whole(ContainerId container) {
  const auto found = fetches_.find(container);
  const Fetch& fetch = found->second;
  if (!fetch.schedule.is_whole()) return;
  leave_exchange(container, fetch);
  whole_.emplace(container, fetch.read);
  fetches_.erase(found);
  now_whole_.push_back(container);
}

void ModelledFetches::leave_exchange(ContainerId container, const Fetch& fetch) {
  const auto exchange = exchanges_.find(fetch.exchange);
  if (exchange != exchanges_.end()) exchange->second.fetching.erase(container);
}

void ModelledFetches::leave(NodeId node, TraceTime now) {
  for (auto& [id, exchange] : exchanges_) {
    std::replace(exchange.outputs.begin(), exchange.outputs.end(), node, NodeId());
  }
  std::vector<ContainerId> hit;
  for (const auto& [container, fetch] : fetches_) {
    if (fetch.schedule.knows(node.value())) hit.push_back(container);
  }
  for (const ContainerId container : hit) {
    Fetch& fetch = fetches_.at(container);
    if (fetch.transfers.contains(node)) cancel(fetch, node, now);
    fetch.schedule.drop(node.value());
    // Sources whose tasks ran again before this machine failed are ready elsewhere.
    const auto exchange = exchanges_.find(fetch.exchange);
    if (exchange != exchanges_.end()) add_ready(exchange->second, fetch);
    request(container, fetch, now);
    finish_if_whole(container);
  }
}

}  // namespace tracebed
