// The three poses of a document, named apart. Bind: where the skin was attached. File: where the nodes stand in the
// file. Current: what is shown and will be saved.
#pragma once

#include "core/document/document.h"

namespace limber::check {

// How far joints are from where another pose has them. Noise of exporters does not count.
struct PoseDifference {
    std::vector<JointId> joints; // ascending
    double degrees = 0;          // the largest turn of a joint against its parent
    double shift = 0;            // the largest move, in the file's units
    double scale = 1;            // the largest factor
    JointId most;                // that turns most, or else moves most
};

[[nodiscard]] PoseDifference fileFromBind(const document::Document& doc);
[[nodiscard]] PoseDifference currentFromBind(const document::Document& doc);
[[nodiscard]] PoseDifference currentFromFile(const document::Document& doc);

// "12 joints differ, up to 31 degrees at nodes[4] "arm"", or "the same".
[[nodiscard]] std::string described(const document::Document& doc, const PoseDifference& difference);

} // namespace limber::check
