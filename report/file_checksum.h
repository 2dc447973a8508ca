// The checksum of a file: its size and the SHA-256 (FIPS 180-4) of its contents, as `sha256sum`
// prints it. A cut, a flipped bit and a mistaken copy are found for certain; somebody who changes a
// file can write a new checksum beside it, unless the list of checksums, or the checksum of that,
// is known from elsewhere: then he would have to find a second file with the same SHA-256.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

struct evp_md_ctx_st;  // EVP_MD_CTX of libcrypto

namespace tracebed {

struct FileChecksum {
  std::uint64_t bytes = 0;
  std::string sha256;  // 64 hexadecimal digits, in small letters

  bool operator==(const FileChecksum&) const = default;
};

// Takes the contents piece by piece; large pieces cost least.
class ChecksumBuilder {
 public:
  // Throws EnvironmentError where libcrypto has no SHA-256.
  ChecksumBuilder();

  void add(std::string_view piece);
  // Of all pieces so far. More may follow.
  FileChecksum checksum() const;

 private:
  struct FreeContext {
    void operator()(evp_md_ctx_st* context) const;
  };
  std::unique_ptr<evp_md_ctx_st, FreeContext> context_;
  std::uint64_t bytes_ = 0;
};

FileChecksum checksum_of(std::string_view contents);

}  // namespace tracebed
