#include "core/check/names.h"

namespace limber::check {

std::string FreeNames::take(const std::string& wish) {
    std::string name = wish;
    for (int& n = next_.try_emplace(wish, 1).first->second; !taken_.insert(name).second; ++n) {
        const std::string digits = std::to_string(n);
        name = wish + '.' + std::string(digits.size() < 3 ? 3 - digits.size() : 0, '0') + digits;
    }
    return name;
}

} // namespace limber::check
