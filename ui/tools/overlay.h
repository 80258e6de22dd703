// What tools and gizmos draw over the picture, in pixels of the view; painted by QPainter each frame.
#pragma once

#include <QColor>
#include <QPointF>
#include <QPolygonF>
#include <QString>

#include <vector>

namespace limber::ui {

struct OverlayPath {
    QPolygonF points;
    QColor line; // invalid: none
    QColor fill; // invalid: none
    double width = 1.5;
    bool closed = false;
};

struct OverlayText {
    QPointF at; // left end of the base line
    QString text;
    QColor color;
    bool box = false; // on a dark rounded box, as the amount beside the cursor
};

struct Overlay {
    std::vector<OverlayPath> paths; // in drawing order
    std::vector<OverlayText> texts; // above the paths
};

} // namespace limber::ui
