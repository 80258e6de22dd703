// A viewport in a window with the tube, and what is done with it in tests of what it shows.
#pragma once

#include "tests/support/tube_document.h"
#include "ui/editor/editor.h"
#include "ui/viewport/viewport.h"

#include <QtTest>

#include <functional>
#include <memory>

namespace limber::test {

// Share of the pixels that differ by more than a trace.
inline double difference(const QImage& a, const QImage& b) {
    if (a.size() != b.size())
        return 1;
    const QImage first = a.convertToFormat(QImage::Format_RGB32), second = b.convertToFormat(QImage::Format_RGB32);
    qint64 differing = 0;
    for (int y = 0; y < a.height(); ++y) {
        const auto* p = reinterpret_cast<const QRgb*>(first.constScanLine(y));
        const auto* q = reinterpret_cast<const QRgb*>(second.constScanLine(y));
        for (int x = 0; x < a.width(); ++x)
            differing += std::abs(qRed(p[x]) - qRed(q[x])) + std::abs(qGreen(p[x]) - qGreen(q[x])) +
                             std::abs(qBlue(p[x]) - qBlue(q[x])) >
                         12;
    }
    return double(differing) / (double(a.width()) * a.height());
}

class ViewportStage {
protected:
    // 480 x 360; neither skeleton nor grid. QtTest's checks return where they fail.
    void open() {
        editor_ = std::make_unique<ui::Editor>();
        view_ = std::make_unique<ui::Viewport>(*editor_);
        view_->resize(480, 360);
        view_->show();
        QVERIFY(QTest::qWaitForWindowExposed(view_.get()));
        editor_->replaceDocument(tubeDocument(), {});
        set([](ui::ViewState& v) { v.skeleton = v.grid = false; });
        QTRY_VERIFY(view_->frameCount() > 0);
    }
    void close() {
        view_.reset();
        editor_.reset();
    }

    void set(const std::function<void(ui::ViewState&)>& change) {
        ui::ViewState v = editor_->view();
        change(v);
        editor_->setView(v);
    }
    void select(std::size_t joint) {
        document::Selection s;
        s.set(JointId(joint));
        editor_->setSelection(s);
    }
    void bend(double degrees) {
        rig::Affine u = rig::Affine::Identity();
        u.rotate(Eigen::AngleAxisd(degrees * M_PI / 180, Eigen::Vector3d::UnitZ()));
        editor_->previewChanged(editor_->preview().setJoint(JointId(Tube::kLower), u));
    }
    // The view without the meshes.
    QImage empty() {
        const ui::ViewState old = editor_->view();
        set([](ui::ViewState& v) { v.hidden = {Tube::instance, Tube::plateInstance}; });
        QImage picture = view_->picture();
        editor_->setView(old);
        return picture;
    }

    std::unique_ptr<ui::Editor> editor_;
    std::unique_ptr<ui::Viewport> view_;
};

} // namespace limber::test
