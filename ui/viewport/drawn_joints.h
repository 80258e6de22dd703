// Which joints of an editor's document are drawn, found out once for each state of the document: that takes a look at
// every weight.
#pragma once

#include <QObject>

#include <cstdint>
#include <optional>
#include <vector>

namespace limber::ui {

class Editor;

// Belongs to its editor.
class DrawnJoints : public QObject {
    Q_OBJECT
public:
    // Flags per joint, as drawnJoints() gives them. Valid until the document changes.
    [[nodiscard]] static const std::vector<std::uint8_t>& of(Editor& editor);

private:
    explicit DrawnJoints(Editor& editor);

    std::vector<std::uint8_t> drawn_;
    std::optional<std::uint64_t> revision_; // of the document then; none before the first look
    bool weightsChanged_ = false;           // since, if only in a preview
};

} // namespace limber::ui
