// Documents that the benchmarks work on.
#pragma once

#include "core/document/document.h"

#include <memory>
#include <string>

namespace limber::bench {

// A tube of about `vertices` vertices along y with `joints` joints and four influences a vertex.
[[nodiscard]] document::DocumentState makeTube(std::size_t vertices, std::size_t joints);

// A file of the test data folder (LIMBER_TEST_DATA or the default); empty where it is not there.
[[nodiscard]] std::string dataFile(const std::string& relative);

} // namespace limber::bench
