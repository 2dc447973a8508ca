#include "growth/growth.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

#include "growth/operations.h"

namespace tracebed::test {

namespace {

// As many as can be counted in half a second of a slow machine, but not fewer than some.
int largest_of_three(int most, const std::function<Input(int)>& make) {
  constexpr int fewest = 16;
  constexpr double operations_max = 1e7;
  const Input one = make(fewest);
  // Binds the symbols of libraries, and makes what is made once.
  one.work();
  const auto of_one = static_cast<double>(operations_of(one.work));
  const auto of_two = static_cast<double>(operations_of(make(2 * fewest).work));
  int count = 4 * fewest;
  while (2 * count <= most && (of_two - of_one) / fewest * 2 * count < operations_max) count *= 2;
  return count;
}

}  // namespace

Growth::Growth(int most, const std::function<Input(int)>& make) {
  std::array<double, 3> sizes{};
  std::array<double, 3> operations{};
  const int largest = largest_of_three(most, make);
  int count = largest / 4;
  for (std::size_t i = 0; i < sizes.size(); ++i, count *= 2) {
    const Input input = make(count);
    sizes[i] = input.size;
    operations[i] = static_cast<double>(test::operations_of(input.work));
  }
  const auto slope = [&](std::size_t from, std::size_t to) {
    return (operations[to] - operations[from]) / (sizes[to] - sizes[from]);
  };
  first_ = slope(0, 1);
  last_ = slope(1, 2);
  size_ = sizes[2];
  operations_ = operations[2];
}

double Growth::operations_of(double size) const {
  const double doublings = std::log2(std::max(1.0, size / size_));
  const double steepest = last_ * std::pow(std::max(1.0, ratio()), doublings);
  return operations_ + std::max(0.0, size - size_) * steepest;
}

std::string Growth::text() const {
  return fmt::format(
      "{:.0f} operations for a size of {:.0f}; for each further one {:.1f}, and {:.1f} among fewer",
      operations_, size_, last_, first_);
}

}  // namespace tracebed::test
