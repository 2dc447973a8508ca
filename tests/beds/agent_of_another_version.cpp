// agent_of_another_version CONFIG: says Hello as the agent does whose agent.toml is CONFIG, with
// its name and keys, but as one of the version after this. Prints what the coordinator answers;
// ends with 0 if it was refused, with 1 if it was taken or heard nothing for ten seconds.
#include <chrono>
#include <cstdio>
#include <exception>
#include <span>
#include <variant>

#include "agents/agent/agent_file.h"
#include "agents/link/coordinator_socket.h"
#include "protocol/wire_codec.h"
#include "system/own_machine.h"

namespace tracebed::agent {
namespace {

wire::Message hello_of(const AgentFile& file) {
  wire::Hello hello;
  ++hello.protocol_version;
  hello.software = "99.0.0";
  hello.agent = file.name;
  hello.rack = file.rack;
  hello.address = file.address.empty() ? address_of_interface(file.interface) : file.address;
  hello.host = host_identity();
  hello.wall_clock = std::chrono::system_clock::now();
  return {{.run = wire::no_run, .epoch = 0, .session = 1, .sequence = 1}, std::move(hello)};
}

int register_as(const AgentFile& file) {
  constexpr int timeout_ms = 10'000;
  CoordinatorSocket coordinator(file.coordinator, "",
                                LinkKeys{read_key_file(file.key_file), file.coordinator_key});
  wire::Encoder encoder;
  if (!coordinator.send(encoder.encode(hello_of(file)))) return 1;
  zmq::pollitem_t item = {coordinator.socket().handle(), 0, ZMQ_POLLIN, 0};
  zmq::poll(&item, 1, std::chrono::milliseconds(timeout_ms));
  zmq::message_t bytes;
  if (coordinator.receive(bytes) != CoordinatorSocket::Received::message) {
    std::puts("nothing is heard of the coordinator");
    return 1;
  }
  const auto answer = wire::decode(std::as_bytes(std::span(bytes.data<char>(), bytes.size())));
  const auto* refusal = answer ? std::get_if<wire::Refuse>(&answer->body) : nullptr;
  std::puts(refusal != nullptr ? refusal->reason.c_str() : "it was not refused");
  return refusal != nullptr ? 0 : 1;
}

}  // namespace
}  // namespace tracebed::agent

int main(int count, char** arguments) try {
  if (count != 2) {
    std::fputs("usage: agent_of_another_version CONFIG\n", stderr);
    return 2;
  }
  return tracebed::agent::register_as(tracebed::agent::read_agent_file(arguments[1]));
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 2;
}
