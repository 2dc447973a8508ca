#include "coordinator/real/key_guard.h"

#include <array>
#include <vector>

#include "core/input_error.h"

namespace tracebed {
namespace {

constexpr std::size_t key_bytes = 32;
constexpr std::size_t key_text_bytes = 41;  // with its end

// The frames of a question about a CURVE peer: version, id, domain, address, identity, mechanism,
// key.
constexpr std::size_t question_frames = 7;
enum : std::size_t { id_frame = 1, address_frame = 3, mechanism_frame = 5, key_frame = 6 };

std::string to_text(const zmq::message_t& key) {
  std::array<char, key_text_bytes> text = {};
  zmq_z85_encode(text.data(), key.data<std::uint8_t>(), key_bytes);
  return text.data();
}

}  // namespace

KeyPair make_key_pair() {
  std::array<char, key_text_bytes> public_key = {};
  std::array<char, key_text_bytes> secret_key = {};
  if (zmq_curve_keypair(public_key.data(), secret_key.data()) != 0) {
    throw EnvironmentError(
        std::string("the ZeroMQ library of this machine cannot generate keys: ") +
        zmq_strerror(zmq_errno()));
  }
  return {public_key.data(), secret_key.data()};
}

KeyGuard::KeyGuard(zmq::context_t& context, KnownKeys agents)
    : questions_(context, zmq::socket_type::rep), agents_(std::move(agents)) {
  questions_.set(zmq::sockopt::linger, 0);
  questions_.bind("inproc://zeromq.zap.01");
}

const std::string* KeyGuard::name_of(std::string_view public_key) const {
  for (const KnownKeys* known : {&agents_, &guests_}) {
    if (const auto found = known->find(public_key); found != known->end()) return &found->second;
  }
  return nullptr;
}

void KeyGuard::answer() {
  zmq::message_t first;
  while (questions_.recv(first, zmq::recv_flags::dontwait)) answer_one(first);
}

void KeyGuard::answer_one(zmq::message_t& version) {
  std::vector<zmq::message_t> question;
  question.push_back(std::move(version));
  while (question.back().more()) {
    zmq::message_t frame;
    static_cast<void>(questions_.recv(frame));
    question.push_back(std::move(frame));
  }
  const bool has_key = question.size() == question_frames &&
                       question[mechanism_frame].to_string_view() == "CURVE" &&
                       question[key_frame].size() == key_bytes;
  const std::string key = has_key ? to_text(question[key_frame]) : "";
  const bool is_known = has_key && name_of(key) != nullptr;
  if (!is_known) {
    ++refused_;
    if (question.size() > address_frame) {
      refused_addresses_.insert(question[address_frame].to_string());
    }
    last_refused_ = has_key ? "key " + key + " from " + question[address_frame].to_string()
                            : "a peer without a key";
  }
  const std::string id = question.size() > id_frame ? question[id_frame].to_string() : "";
  // Not 400, after which the peer would never ask again: its key may be known tomorrow.
  const std::array<std::string, 6> answer = {
      "1.0", id, is_known ? "200" : "300", is_known ? "" : "unknown key", is_known ? key : "", ""};
  for (std::size_t i = 0; i < answer.size(); ++i) {
    const bool is_last = i + 1 == answer.size();
    questions_.send(zmq::buffer(answer[i]),
                    is_last ? zmq::send_flags::none : zmq::send_flags::sndmore);
  }
}

}  // namespace tracebed
