#include "core/io/gltf_faults.h"

namespace limber::io {

namespace {

constexpr std::size_t kListed = 10;

} // namespace

FaultList::~FaultList() {
    for (const auto& [code, kind] : kinds_)
        if (kind.more)
            repairs_[kind.last].text += " (The same at " + std::to_string(kind.more) + " more places.)";
}

void FaultList::add(const std::string& code, std::string where, std::string text, std::size_t count) {
    Kind& kind = kinds_[code];
    if (kind.listed == kListed) {
        ++kind.more;
        repairs_[kind.last].count += count;
        return;
    }
    ++kind.listed;
    kind.last = repairs_.size();
    repairs_.push_back({code, std::move(where), std::move(text), count});
}

} // namespace limber::io
