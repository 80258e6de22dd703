// What a file's reader found, in the words of the window.
#include "app/session.h"

#include <QRegularExpression>

#include <algorithm>

namespace limber::app {

namespace {

// A place in the file as the user knows it: a mesh goes by its name.
QString placeText(const document::DocumentState& state, const std::string& where) {
    static const QRegularExpression kMesh(R"(^meshes\[(\d+)\](?:\.primitives\[(\d+)\])?)");
    const QString place = QString::fromStdString(where);
    const QRegularExpressionMatch match = kMesh.match(place);
    const qulonglong index = match.captured(1).toULongLong();
    if (!match.hasMatch() || index >= state.meshes.size() || state.meshes[index].geometry.name.empty())
        return place;
    const mesh::Mesh& mesh = state.meshes[index].geometry;
    QString text = QString::fromStdString(mesh.name);
    if (match.hasCaptured(2) && mesh.parts.size() > 1)
        text = QObject::tr("%1, part %2").arg(text).arg(match.captured(2).toInt() + 1);
    return text + place.mid(match.capturedLength());
}

} // namespace

FileNotes notesOf(const io::LoadedFile& file) {
    FileNotes found;
    for (const io::Repair& repair : file.repairs) {
        if (repair.code == "UNWEIGHTED_VERTICES") // the doctor finds them, for as long as they are there
            continue;
        const QString text = QString::fromStdString(repair.text), where = placeText(file.state, repair.where);
        (repair.count == 0 ? found.information : found.warnings)
            << (where.isEmpty() ? text : QString("%1: %2").arg(where, text));
    }
    QStringList& notes = found.information;
    const document::DocumentState& state = file.state;
    const auto rigid = std::count_if(state.instances.begin(), state.instances.end(),
                                     [](const document::Instance& instance) { return !instance.skin.valid(); });
    if (rigid > 0)
        notes << (rigid == 1 ? QObject::tr("1 mesh is rigid: it follows its joint")
                             : QObject::tr("%1 meshes are rigid: they follow their joints").arg(rigid));
    return found;
}

} // namespace limber::app
