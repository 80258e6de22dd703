// An editing run without hands: poses, strokes, correctives, undos and redos through the editor, as its tools and menus
// do them.
#pragma once

#include "core/document/intents.h"
#include "core/document/paint_stroke.h"
#include "core/document/sculpt_stroke.h"
#include "tests/support/random.h"
#include "ui/editor/editor.h"

namespace limber::test {

class EditLoop {
public:
    EditLoop(ui::Editor& editor, unsigned seed) : editor_(editor), random_(seed) {}

    void step() {
        switch (random_.index(8)) {
        case 0:
            return editor_.undo();
        case 1:
            return editor_.redo();
        case 2:
        case 3:
            return bend();
        case 4:
            return corrective();
        case 5:
            return sculpt();
        default:
            return paint();
        }
    }

    void bend() {
        const JointId joint(random_.index(editor_.document().skeleton().size() - 1));
        editor_.perform(document::setUserLocal(editor_.document(), joint, random_.rigid(), "Bend"));
    }

    void paint() {
        const document::Skin& skin = editor_.document().skin(SkinId(0));
        document::PaintStroke stroke(editor_.document(), editor_.evaluator(), editor_.preview(),
                                     {.joint = skin.joints[random_.index(skin.joints.size())]});
        strokeWith(stroke);
        editor_.commitPreview("Paint");
    }

    // As the first touch of a new corrective: the shape is there before the stroke, and one step with it.
    void corrective() {
        const auto made = document::newCorrective(editor_.document(), MeshId(0), "fix", {});
        if (!made)
            return;
        editor_.performProvisional(made->edit);
        sculptInto(made->shape, "New corrective");
    }

    void sculpt() {
        if (const auto& shapes = editor_.document().mesh(MeshId(0)).shapes; !shapes.empty())
            sculptInto(shapes[random_.index(shapes.size())].id, "Sculpt");
    }

private:
    void sculptInto(ShapeId shape, const QString& label) {
        document::SculptStroke stroke(editor_.document(), editor_.evaluator(), editor_.preview(),
                                      {document::SculptSettings::Mode::Inflate}, {{MeshId(0), shape}});
        strokeWith(stroke);
        editor_.commitPreview(label);
    }

    template <class Stroke> void strokeWith(Stroke& stroke) {
        for (int k = 0; k < 4; ++k) {
            const auto points = editor_.evaluator().positions(InstanceId(0));
            document::BrushDab dab;
            dab.center = points[random_.index(points.size())].template cast<double>();
            dab.radius = 0.6;
            dab.strength = 0.4;
            dab.frontFacesOnly = false;
            editor_.previewChanged(stroke.dab(dab));
        }
    }

    ui::Editor& editor_;
    Random random_;
};

} // namespace limber::test
