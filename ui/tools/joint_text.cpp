#include "ui/tools/joint_text.h"

#include <algorithm>
#include <cmath>

namespace limber::ui {

QString jointLabel(const document::Document& doc, JointId joint) {
    if (!joint.valid() || joint.index() >= doc.skeleton().size())
        return {};
    const std::string& name = doc.skeleton()[joint].name;
    return name.empty() ? QStringLiteral("joint %1").arg(joint.index()) : QString::fromStdString(name);
}

QString signedNumber(double value, int decimals) {
    const QString digits = QString::number(std::abs(value), 'f', decimals);
    if (digits.toDouble() == 0)
        return digits;
    return (value < 0 ? QChar(0x2212) : QChar('+')) + digits;
}

QString plainNumber(double value, int decimals) {
    const QString digits = QString::number(std::abs(value), 'f', decimals);
    return value < 0 && digits.toDouble() != 0 ? QChar(0x2212) + digits : digits;
}

int lengthDecimals(double sceneDiagonal) {
    const double magnitude = sceneDiagonal > 0 ? std::floor(std::log10(sceneDiagonal)) : 0;
    return std::clamp(3 - int(magnitude), 0, 6);
}

} // namespace limber::ui
