// The built page (report/web/build.mjs), split where the data is inserted. Each half is a list of
// pieces, because compilers bound the length of one literal.
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>

namespace tracebed {

std::span<const std::string_view> html_page_before_data();
std::span<const std::string_view> html_page_after_data();

// The page with what its script reads. An object with "sweep" is the report of a sweep.
std::string html_page(const nlohmann::ordered_json& data);

}  // namespace tracebed
