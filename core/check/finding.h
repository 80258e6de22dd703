// What the import doctor has to say about a document: one finding, told so that a list can show it, a view can select
// what it is about, and a button can mend it.
#pragma once

#include "core/base/ids.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace limber::check {

// Error: the character cannot be right as it is. Warning: it will look wrong here or in other programs. Info: worth
// knowing, often meant so.
enum class Severity { Error, Warning, Info };

struct Options {
    std::size_t maxInfluences = 0; // that the target takes; 0: not asked, more than four are told of only
    const std::atomic<bool>* cancelled = nullptr; // looked at between the rules; what is found by then is of no use
};

struct Finding {
    std::string code; // stable, UPPER_SNAKE
    Severity severity = Severity::Warning;
    std::string where;     // in glTF's terms, with names: meshes[0] "Body"
    std::string text;      // what it is, why it matters, what to do
    std::size_t count = 1; // vertices, joints, triangles, ... that it is about

    // What a view selects; not valid or empty where it is about nothing of the kind.
    MeshId mesh;
    SkinId skin;
    ShapeId shape; // of `mesh`
    std::vector<JointId> joints;
    std::vector<std::uint32_t> vertices; // of `mesh`, ascending

    std::string fix;       // label of the fix, as the undo menu shows it; empty: only the user can mend it
    std::size_t limit = 0; // most influences, where the fix is about that

    [[nodiscard]] bool fixable() const { return !fix.empty(); }
    // To be fixed with all others. What only informs is often meant so (a pose other than bind): its fix is a choice.
    [[nodiscard]] bool wantsFix() const { return fixable() && severity != Severity::Info; }
};

} // namespace limber::check
