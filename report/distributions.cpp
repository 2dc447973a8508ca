#include "report/distributions.h"

#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>

namespace tracebed {

double students_t_two_sided(double t, double degrees) {
  if (!std::isfinite(t)) return 0;
  return 2 * cdf(complement(boost::math::students_t(degrees), std::abs(t)));
}

double students_t_quantile(double above, double degrees) {
  return quantile(complement(boost::math::students_t(degrees), above));
}

double normal_two_sided(double z) {
  return std::erfc(std::abs(z) / std::sqrt(2.0));
}

double normal_quantile(double above) {
  return quantile(complement(boost::math::normal(), above));
}

}  // namespace tracebed
