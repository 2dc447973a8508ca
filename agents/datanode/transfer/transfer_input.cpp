#include "agents/datanode/transfer/transfer_input.h"

#include <algorithm>
#include <cstring>

namespace tracebed {

void TransferInput::resize(std::size_t bytes) {
  auto buffer = std::make_unique_for_overwrite<std::byte[]>(bytes);
  const hdfs::Bytes kept = unread();
  std::copy(kept.begin(), kept.end(), buffer.get());
  end_ = kept.size();
  begin_ = 0;
  buffer_ = std::move(buffer);
  size_ = bytes;
}

void TransferInput::reserve(std::size_t bytes) {
  if (size_ < bytes) resize(bytes);
}

void TransferInput::release() {
  if (size_ > first_bytes && end_ - begin_ <= first_bytes) resize(first_bytes);
}

TransferStatus TransferInput::fill(std::size_t bytes, Deadline deadline) {
  if (size_ - begin_ < bytes) {
    if (size_ < bytes) {
      resize(std::max({bytes, first_bytes, std::min(2 * size_, 2 * bytes)}));
    } else {
      std::memmove(buffer_.get(), buffer_.get() + begin_, end_ - begin_);
      end_ -= std::exchange(begin_, 0);
    }
  }
  if (begin_ == end_) begin_ = end_ = 0;
  while (end_ - begin_ < bytes) {
    const auto received = socket_.receive({buffer_.get() + end_, size_ - end_}, deadline);
    if (!received) return received.error();
    end_ += *received;
  }
  return transferred();
}

}  // namespace tracebed
