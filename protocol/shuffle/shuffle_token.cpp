#include "protocol/shuffle/shuffle_token.h"

#include <bit>
#include <cstring>
#include <sodium.h>
#include <string_view>

namespace tracebed::shuffle {
namespace {

static_assert(crypto_auth_hmacsha256_BYTES == std::tuple_size_v<Code>);
static_assert(std::endian::native == std::endian::little, "numbers are taken as they are stored");

const unsigned char* unsigned_bytes(Bytes bytes) {
  return reinterpret_cast<const unsigned char*>(bytes.data());
}

Code hmac(Bytes key, std::initializer_list<Bytes> parts) {
  crypto_auth_hmacsha256_state state;
  crypto_auth_hmacsha256_init(&state, unsigned_bytes(key), key.size());
  for (const Bytes part : parts) {
    crypto_auth_hmacsha256_update(&state, unsigned_bytes(part), part.size());
  }
  Code code{};
  crypto_auth_hmacsha256_final(&state, reinterpret_cast<unsigned char*>(code.data()));
  sodium_memzero(&state, sizeof(state));
  return code;
}

}  // namespace

template <class Tag>
Secret<Tag>::~Secret() {
  sodium_memzero(bytes_.data(), bytes_.size());
}
template class Secret<RunKeyTag>;
template class Secret<JobTokenTag>;

JobToken job_token(const RunKey& key, std::uint32_t job) {
  constexpr std::string_view label = "job";
  Code code = hmac(key.bytes(), {std::as_bytes(std::span(label)),
                                 std::as_bytes(std::span(&job, std::size_t{1}))});
  const JobToken token(code);
  sodium_memzero(code.data(), code.size());
  return token;
}

Code code_of(const JobToken& token, std::initializer_list<Bytes> parts) {
  return hmac(token.bytes(), parts);
}

bool is_equal(const Code& code, std::span<const std::byte, std::tuple_size_v<Code>> other) {
  return sodium_memcmp(code.data(), other.data(), code.size()) == 0;
}

}  // namespace tracebed::shuffle
