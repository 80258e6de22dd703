// Whether an edit that was stored belongs to a document: what Document::apply takes for granted, asked first.
#pragma once

#include "core/base/result.h"
#include "core/document/edit.h"
#include "core/document/patch_apply.h"

namespace limber::document {

// Every id, index and count that the patch names is there, rows and lists are well formed, and putting it in or taking
// it back leaves nothing that points nowhere. Values are not compared with the document's: those of a file that was
// saved and read again may differ by the rounding of its format. O(patch), and O(weights) for taking back a
// SkinJointPatch.
[[nodiscard]] Status fits(const Document& doc, const Patch& patch, Direction direction);

// Applies (reverts) patch by patch, each checked against what the ones before it made. Where one does not fit, the
// document is as it was. The numbers must be finite, as decodeEdit gives them.
[[nodiscard]] Status applyChecked(Document& doc, const Edit& edit);
[[nodiscard]] Status revertChecked(Document& doc, const Edit& edit);

} // namespace limber::document
