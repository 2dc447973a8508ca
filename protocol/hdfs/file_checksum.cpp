#include "protocol/hdfs/file_checksum.h"

#include <algorithm>
#include <openssl/evp.h>
#include <string_view>
#include <vector>

#include "core/check.h"
#include "protocol/hdfs/delimited.h"

namespace tracebed::hdfs {
namespace {

// Hadoop digests the array behind its buffer of the blocks' checksums, which begins with this size
// and doubles, with the zeros after them.
constexpr std::size_t buffer_bytes_least = 32;

void append_hexadecimal(std::string& out, std::string_view bytes) {
  constexpr std::string_view digits = "0123456789abcdef";
  for (const char byte : bytes) {
    const auto value = static_cast<unsigned char>(byte);
    out += digits[value >> 4];
    out += digits[value & 0xf];
  }
}

}  // namespace

struct Md5Digest::Context {
  struct Free {
    void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
  };
  std::unique_ptr<EVP_MD_CTX, Free> digest{EVP_MD_CTX_new()};
};

Md5Digest::Md5Digest() : context_(std::make_unique<Context>()) {
  TRACEBED_CHECK(EVP_DigestInit_ex(context_->digest.get(), EVP_md5(), nullptr) == 1,
                 "OpenSSL has MD5");
}
Md5Digest::~Md5Digest() = default;
Md5Digest::Md5Digest(Md5Digest&&) noexcept = default;
Md5Digest& Md5Digest::operator=(Md5Digest&&) noexcept = default;

void Md5Digest::update(Bytes bytes) {
  TRACEBED_CHECK(EVP_DigestUpdate(context_->digest.get(), bytes.data(), bytes.size()) == 1,
                 "nothing is added to a digest that has ended");
}

Md5 Md5Digest::finish() {
  Md5 md5{};
  TRACEBED_CHECK(EVP_DigestFinal_ex(context_->digest.get(),
                                    reinterpret_cast<unsigned char*>(md5.data()), nullptr) == 1,
                 "a digest ends once");
  return md5;
}

std::string FileChecksum::algorithm() const {
  return "MD5-of-" + std::to_string(crcs_per_block) + "MD5-of-" +
         std::to_string(bytes_per_checksum) + (type == ChecksumType::crc32c ? "CRC32C" : "CRC32");
}

std::string FileChecksum::hexadecimal() const {
  std::string numbers;
  append_big_endian32(numbers, bytes_per_checksum);
  append_big_endian32(numbers, static_cast<std::uint32_t>(crcs_per_block >> 32));
  append_big_endian32(numbers, static_cast<std::uint32_t>(crcs_per_block));
  std::string text;
  append_hexadecimal(text, numbers);
  append_hexadecimal(text, {reinterpret_cast<const char*>(md5.data()), md5.size()});
  return text;
}

FileChecksum file_checksum(const ChunkChecksums& chunks, std::span<const BlockChecksum> blocks) {
  TRACEBED_CHECK(chunks.type != ChecksumType::none, "there are checksums to digest");
  Md5Digest digest;
  for (const BlockChecksum& block : blocks) digest.update(block.md5);
  std::size_t buffer_bytes = buffer_bytes_least;
  const std::size_t used = blocks.size() * sizeof(Md5);
  while (buffer_bytes < used) buffer_bytes *= 2;
  const std::vector<std::byte> padding(buffer_bytes - used);
  digest.update(padding);
  FileChecksum checksum;
  if (!blocks.empty()) {
    checksum.type = chunks.type;
    checksum.bytes_per_checksum = chunks.bytes_per_checksum;
  }
  if (blocks.size() > 1) checksum.crcs_per_block = blocks.front().crcs;
  checksum.md5 = digest.finish();
  return checksum;
}

}  // namespace tracebed::hdfs
