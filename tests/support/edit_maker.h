// Random edits of every kind, for whatever applies, reverts, serialises or logs edits.
#pragma once

#include "core/document/edit.h"
#include "tests/support/random.h"

namespace limber::test {

using namespace limber::document;

inline constexpr std::size_t kKinds = std::variant_size_v<document::Patch>;

// Makes edits of one patch that fit the present state of a tube's document and change it.
class EditMaker {
public:
    EditMaker(const Document& doc, Random& random) : doc_(doc), random_(random) {}

    // kind: below kKinds.
    Edit make(std::size_t kind) const;

private:
    const Document& doc_;
    Random& random_;
};

} // namespace limber::test
