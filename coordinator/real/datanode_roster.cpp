#include "coordinator/real/datanode_roster.h"

#include <fmt/format.h>

#include "coordinator/real/agent_roster.h"
#include "coordinator/real/roster_intervals.h"
#include "core/visit.h"

namespace tracebed {
DatanodeRoster::DatanodeRoster(RouterSocket& socket, const ListeningClock& listening, Warn warn)
    : socket_(socket), listening_(listening), warn_(std::move(warn)) {}

void DatanodeRoster::receive(const RouterSocket::Received& received, const wire::Envelope& envelope,
                             const wire::FromDatanode& message) {
  if (const auto* hello = std::get_if<wire::DatanodeHello>(&message)) {
    return handle(received, envelope, *hello);
  }
  Entry* const entry = sender_of(received, envelope);
  if (entry == nullptr) return;
  visit_all(
      message,
      [&](const wire::DatanodeBeat&) {
        send(*entry, wire::ToDatanode(wire::DatanodeOrders{envelope.sequence, {}, {}}));
      },
      [&](const wire::DatanodeGoodbye&) {
        entry->member.is_alive = false;
        sessions_.erase(envelope.session);
      },
      // Handled above, or of a run's.
      Ignore<wire::DatanodeHello, wire::BlockReportPart, wire::IncrementalReport,
             wire::DatanodeCall, wire::StoreAnswer, wire::AdministrationAnswer>{});
}

DatanodeRoster::Entry* DatanodeRoster::sender_of(const RouterSocket::Received& received,
                                                 const wire::Envelope& envelope) {
  const auto session = sessions_.find(envelope.session);
  if (session == sessions_.end() || envelope.run != wire::no_run) return nullptr;
  // Its session is guessed.
  if (!received.user.empty() && received.user != session->second) return nullptr;
  Entry& entry = entries_.at(session->second);
  if (envelope.sequence <= entry.received) return nullptr;
  entry.received = envelope.sequence;
  entry.peer = received.peer;
  entry.contact.note(listening_);
  entry.member.is_alive = true;
  return &entry;
}

std::optional<std::string> DatanodeRoster::take_log(const RouterSocket::Received& received,
                                                    const wire::Envelope& envelope) {
  const Entry* const entry = sender_of(received, envelope);
  if (entry == nullptr) return std::nullopt;
  return datanode_log_name(entry->member.agent);
}

void DatanodeRoster::handle(const RouterSocket::Received& received, const wire::Envelope& envelope,
                            const wire::DatanodeHello& hello) {
  const auto refuse = [&](const std::string& reason) {
    // By its key, as it may state any name.
    std::string& reported = refusals_[received.user.empty() ? hello.agent : received.user];
    if (reported != reason) {
      warn_(fmt::format("the datanode of {} was rejected: {}", hello.agent, reason));
    }
    reported = reason;
    answer(received.peer, envelope,
           wire::Refuse{wire::protocol_version, hello.protocol_version, reason});
  };
  if (const auto reason = reason_to_refuse_peer(claim_of(hello), received.user)) {
    return refuse(*reason);
  }
  if (envelope.run != wire::no_run) {
    return answer(received.peer, envelope, wire::Shutdown{"that run is over"});
  }
  Entry& entry = entries_[hello.agent];
  if (entry.member.is_alive && entry.member.host != hello.host) {
    return refuse(fmt::format("another machine, at {}, has registered a datanode under that name",
                              entry.member.address));
  }
  const bool is_old = envelope.session == entry.session ||
                      (envelope.session < entry.session && entry.member.is_alive);
  if (is_old && entry.member.host == hello.host) return;
  sessions_.erase(entry.session);
  sessions_[envelope.session] = hello.agent;
  entry.peer = received.peer;
  entry.session = envelope.session;
  entry.received = envelope.sequence;
  entry.sent = 0;
  entry.contact.note(listening_);
  fill(entry, hello);
  if (refusals_.erase(hello.agent) > 0) {
    warn_(fmt::format("the datanode of {} is accepted, which was rejected before", hello.agent));
  }
  wire::DatanodeWelcome welcome;
  welcome.heartbeat_period = roster_heartbeat_period;
  welcome.silence_max = roster_silence_max;
  send(entry, wire::ToDatanode(std::move(welcome)));
}

void DatanodeRoster::fill(Entry& entry, const wire::DatanodeHello& hello) {
  entry.member = {.agent = hello.agent,
                  .address = hello.address,
                  .transfer_port = hello.transfer_port,
                  .http_port = hello.http_port,
                  .host = hello.host,
                  .software = hello.software,
                  .is_alive = true,
                  .has_run = false};
}

void DatanodeRoster::note_hello(const wire::DatanodeHello& hello) {
  Entry& entry = entries_[hello.agent];
  fill(entry, hello);
  entry.contact.note(listening_);
}

void DatanodeRoster::note(const std::vector<DatanodeRecord>& datanodes) {
  const WallMoment now = std::chrono::steady_clock::now();
  for (auto& [agent, entry] : entries_) {
    if (entry.contact.is_silent_for(bystander_silence_max, listening_)) {
      entry.member.is_alive = false;
    }
  }
  for (const DatanodeRecord& record : datanodes) {
    const auto found = entries_.find(record.address.name);
    if (found == entries_.end()) continue;
    DatanodeMember& member = found->second.member;
    member.has_run = record.has_session;
    if (!record.has_session) continue;
    member.is_alive = now < record.contact_at + bystander_silence_max;
    found->second.contact.note_of_run(record.contact_at);
  }
}

void DatanodeRoster::lend() {
  for (auto& [agent, entry] : entries_) {
    if (entry.member.is_alive) send(entry, wire::Shutdown{"a run begins"});
  }
}

void DatanodeRoster::take_back() {
  for (auto& [agent, entry] : entries_) {
    entry.contact.begin_again(listening_);
    entry.member.has_run = false;
  }
}

void DatanodeRoster::lose_silent() {
  for (auto& [agent, entry] : entries_) {
    const bool is_silent = entry.contact.is_silent_for(roster_silence_max, listening_);
    if (!entry.member.is_alive || !is_silent) continue;
    entry.member.is_alive = false;
    sessions_.erase(entry.session);
    warn_(
        fmt::format("the datanode of {} is lost: no message for {} s", agent,
                    std::chrono::duration_cast<std::chrono::seconds>(roster_silence_max).count()));
  }
}

void DatanodeRoster::keep_only(const std::set<std::string>& agents) {
  std::erase_if(entries_, [&](const auto& entry) {
    if (agents.contains(entry.first)) return false;
    sessions_.erase(entry.second.session);
    return true;
  });
}

std::vector<DatanodeMember> DatanodeRoster::members() const {
  std::vector<DatanodeMember> members;
  for (const auto& [agent, entry] : entries_) members.push_back(entry.member);
  return members;
}

// Outside of a session of ours. One that is not delivered is asked for again.
void DatanodeRoster::answer(const PeerId& peer, const wire::Envelope& envelope, wire::Body body) {
  const wire::Message message{{envelope.run, roster_epoch, envelope.session, 1}, std::move(body)};
  static_cast<void>(socket_.send(peer, encoder_.encode(message)));
}

void DatanodeRoster::send(Entry& entry, wire::Body body) {
  const wire::Message message{{wire::no_run, roster_epoch, entry.session, ++entry.sent},
                              std::move(body)};
  static_cast<void>(socket_.send(entry.peer, encoder_.encode(message)));
}

}  // namespace tracebed
