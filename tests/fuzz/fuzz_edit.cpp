#include "core/document/edit_check.h"
#include "core/document/edit_codec.h"
#include "tests/fuzz/exercise.h"
#include "tests/fuzz/sample_files.h"
#include "tests/fuzz/targets.h"

#include <algorithm>

namespace limber::fuzz {

void edit(Bytes input) {
    const auto read = document::decodeEdit(input);
    if (!read) {
        require(!read.error().text.empty(), "Refused without a reason.");
        return;
    }
    require(std::ranges::equal(document::encodeEdit(*read), input), "An edit is not written as it was read.");
    document::Document doc(strip().state);
    const std::uint64_t before = doc.hash();
    if (!document::applyChecked(doc, *read)) {
        require(doc.hash() == before, "An edit that does not fit left something behind.");
        return;
    }
    look(doc.state());
    const std::string wrong = saveAndRead(*strip().source, doc);
    require(wrong.empty(), wrong);
    const std::uint64_t after = doc.hash();
    if (!document::revertChecked(doc, *read))
        require(doc.hash() == after, "An edit that cannot be taken back left something behind.");
    look(doc.state());
}

} // namespace limber::fuzz
