// Names that are given anew.
#pragma once

#include <map>
#include <set>
#include <string>

namespace limber::check {

class FreeNames {
public:
    explicit FreeNames(std::set<std::string> taken) : taken_(std::move(taken)) {}

    // `wish`, or wish.001 and so on where it is taken; takes it. O(log n) amortised.
    [[nodiscard]] std::string take(const std::string& wish);

private:
    std::set<std::string> taken_;
    std::map<std::string, int> next_; // number to try first, per wish
};

} // namespace limber::check
