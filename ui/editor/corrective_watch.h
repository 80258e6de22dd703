// Notices that a mesh is skinned otherwise than its correctives were sculpted for, and makes them fit.
#pragma once

#include "core/skin/skinning.h"
#include "ui/editor/editor.h"

#include <QObject>

#include <map>

namespace limber::ui {

// Lives on the window's thread. Keeps a reference.
class CorrectiveWatch : public QObject {
    Q_OBJECT
public:
    explicit CorrectiveWatch(Editor& editor, QObject* parent = nullptr);

    // What does not fit, as the user is told: empty where all fits.
    [[nodiscard]] QString what() const;
    [[nodiscard]] QString details() const;
    // All of them, as one undo step. Says what was done.
    void fit();

signals:
    void changed(); // of what does not fit

private:
    void follow(const history::Step& step);

    Editor& editor_;
    std::map<MeshId, skin::Skinning> former_; // what the correctives were sculpted for, of meshes skinned otherwise now
};

} // namespace limber::ui
