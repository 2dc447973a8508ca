// The two distributions that tests of means go by.
#pragma once

namespace tracebed {

// The probability that a value of Student's t with `degrees` of freedom (positive, perhaps no whole
// number) is at least as far from zero as `t`.
double students_t_two_sided(double t, double degrees);
// What a value of it exceeds with probability `above`, which is in (0, 1).
double students_t_quantile(double above, double degrees);

// The same of the standard normal distribution.
double normal_two_sided(double z);
double normal_quantile(double above);

}  // namespace tracebed
