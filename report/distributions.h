// The two distributions that tests of means use.
#pragma once

namespace tracebed {

// The probability that a value of Student's t with `degrees` of freedom (positive, not necessarily
// whole) is at least as far from zero as `t`.
double students_t_two_sided(double t, double degrees);
// The value that it exceeds with probability `above`, which is in (0, 1).
double students_t_quantile(double above, double degrees);

// The same for the standard normal distribution.
double normal_two_sided(double z);
double normal_quantile(double above);

}  // namespace tracebed
