// Joints and amounts as people read them.
#pragma once

#include "core/document/document.h"

#include <QString>

namespace limber::ui {

// The joint's name, or "joint 12" where the file gave none.
[[nodiscard]] QString jointLabel(const document::Document& doc, JointId joint);

// "+38.5°", "−12.0°": with a sign and a true minus, for the amount beside the cursor.
[[nodiscard]] QString signedNumber(double value, int decimals);

// The same without a plus, for the names of undo steps; never "−0.0".
[[nodiscard]] QString plainNumber(double value, int decimals);

// Decimals that show a thousandth of the scene's size.
[[nodiscard]] int lengthDecimals(double sceneDiagonal);

} // namespace limber::ui
