// The checksum of a file: its size and the SHA-256 (FIPS 180-4) of its contents, as `sha256sum`
// prints it. Truncation, a flipped bit and a wrong copy are always detected; somebody who changes a
// file can also write a new checksum, unless the list of checksums, or its checksum, is known from
// elsewhere: that would take a second file with the same SHA-256.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

struct evp_md_ctx_st;  // EVP_MD_CTX of libcrypto

namespace tracebed {

struct FileChecksum {
  std::uint64_t bytes = 0;
  std::string sha256;  // 64 hexadecimal digits, in lower case

  bool operator==(const FileChecksum&) const = default;
};

// Takes the contents piece by piece; large pieces cost least.
class ChecksumBuilder {
 public:
  // Throws EnvironmentError if libcrypto has no SHA-256.
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
