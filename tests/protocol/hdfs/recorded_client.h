// What Debian's `hdfs` 2.3.0 (hdfs-cli) sent to a server of these codecs: bytes of a client that
// shares no code with them.
#pragma once

#include <string>

#include "protocol/hdfs/bytes.h"

namespace tracebed::test {

// `hdfs df` of the user alice: connection header, context and getFsStats.
inline std::string recorded_rpc() {
  return from_hex(
      "6872706309000000000053180802100018052210386e6d4d5034497870617738564170783912070a"
      "05616c6963651a2e6f72672e6170616368652e6861646f6f702e686466732e70726f746f636f6c2e"
      "436c69656e7450726f746f636f6c00000059180802100018022210386e6d4d503449787061773856"
      "4170783e0a0a67657446735374617473122e6f72672e6170616368652e6861646f6f702e68646673"
      "2e70726f746f636f6c2e436c69656e7450726f746f636f6c180100");
}

// `hdfs put` of a file of 14 bytes: the operation, a packet with the data and the last packet.
inline std::string recorded_write() {
  return from_hex(
      "001c50480a350a190a0d0a0442502d3110eb071801200012080a0012001a0022001218676f2d6864"
      "66732d4265684c696972643743594e67514634200628003000380040004a050801108004");
}
inline std::string recorded_packets() {
  return from_hex(
      "0000001600190900000000000000001101000000000000001800250e0000001f64ecdf68656c6c6f20686466"
      "732c203133000000040019090e0000000000000011020000000000000018012500000000");
}

// `hdfs cat` and `hdfs checksum` of that file.
inline std::string recorded_read() {
  return from_hex(
      "001c513b0a350a190a0d0a0442502d3110eb071801200e12080a0012001a0022001218676f2d6864"
      "66732d394b766674694777396c334c4b4e45521000180e");
}
inline std::string recorded_block_checksum() {
  return from_hex("001c551b0a190a0d0a0442502d3110eb071801200e12080a0012001a002200");
}

}  // namespace tracebed::test
