// Names that are given anew.
#pragma once

#include <set>
#include <string>

namespace limber::check {

// `wish`, or wish.001 and so on where it is taken; takes it.
[[nodiscard]] std::string takeName(std::set<std::string>& taken, const std::string& wish);

} // namespace limber::check
