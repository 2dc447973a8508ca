#include "report/file_checksum.h"

#include <array>
#include <fmt/format.h>
#include <openssl/evp.h>

#include "core/check.h"
#include "core/input_error.h"

namespace tracebed {
namespace {

constexpr std::size_t sha256_bytes = 32;

void succeed(int result, std::string_view what) {
  if (result != 1) throw EnvironmentError(fmt::format("libcrypto cannot {} a SHA-256", what));
}

}  // namespace

void ChecksumBuilder::FreeContext::operator()(evp_md_ctx_st* context) const {
  EVP_MD_CTX_free(context);
}

ChecksumBuilder::ChecksumBuilder() : context_(EVP_MD_CTX_new()) {
  succeed(EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr), "begin");
}

void ChecksumBuilder::add(std::string_view piece) {
  succeed(EVP_DigestUpdate(context_.get(), piece.data(), piece.size()), "go on with");
  bytes_ += piece.size();
}

FileChecksum ChecksumBuilder::checksum() const {
  const std::unique_ptr<evp_md_ctx_st, FreeContext> copy(EVP_MD_CTX_new());
  succeed(EVP_MD_CTX_copy_ex(copy.get(), context_.get()), "copy");
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int size = 0;
  succeed(EVP_DigestFinal_ex(copy.get(), digest.data(), &size), "end");
  TRACEBED_CHECK(size == sha256_bytes, "a SHA-256 has 32 bytes");
  FileChecksum checksum{bytes_, {}};
  for (std::size_t i = 0; i < sha256_bytes; ++i) {
    checksum.sha256 += fmt::format("{:02x}", digest[i]);
  }
  return checksum;
}

FileChecksum checksum_of(std::string_view contents) {
  ChecksumBuilder builder;
  builder.add(contents);
  return builder.checksum();
}

}  // namespace tracebed
