// Edits as bytes and back, for the journal: little-endian, of one version (kEditCodecVersion, which who stores them
// notes and compares).
#pragma once

#include "core/base/result.h"
#include "core/document/edit.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace limber::document {

// To be raised with every change of a patch, of their order in Patch, or of how something is stored.
inline constexpr std::uint32_t kEditCodecVersion = 1;

// O(edit.bytes()).
[[nodiscard]] std::vector<std::byte> encodeEdit(const Edit& edit);

// InputRefused for bytes that encodeEdit does not make: no length is believed before it is compared with what is there,
// every number is finite. Whether the edit belongs to a document is another question (edit_check.h).
[[nodiscard]] Result<Edit> decodeEdit(std::span<const std::byte> bytes);

} // namespace limber::document
