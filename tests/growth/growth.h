// How the cost of reading something grows with it: by exact counts (operations.h).
#pragma once

#include <cstddef>
#include <functional>
#include <string>

namespace tracebed::test {

// An input and what is to be done with it.
struct Input {
  double size = 0;
  std::function<void()> work;
};

// What is added to an input of three sizes, each twice the one before, costs.
class Growth {
 public:
  // `make` is given three numbers, each twice the one before, of which the last is at most `most`.
  Growth(int most, const std::function<Input(int)>& make);

  // How much more another part costs among many than among few: about 1 where the cost is in
  // proportion to the size, 2 where it is to the square, 1 and a little for n log n.
  double ratio() const { return last_ / first_; }
  // Of an input of that size, at most: as if all that is added cost as much as the last of it,
  // where each doubling of the size makes a part dearer by ratio().
  double operations_of(double size) const;
  std::string text() const;

 private:
  double first_ = 0;  // operations for each unit of size: from few to twice as many
  double last_ = 0;   // from these to twice as many again
  double size_ = 0;   // of the largest
  double operations_ = 0;
};

}  // namespace tracebed::test
