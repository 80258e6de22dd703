#include "ui/theme.h"

#include <QFile>
#include <QIconEngine>
#include <QPainter>
#include <QPixmap>
#include <QSvgRenderer>

namespace limber::ui {

namespace {

// The pictures are drawn in three colours, which stand for roles.
constexpr const char* kStrong = "#d7dadd";
constexpr const char* kSoft = "#9aa0a6";
constexpr const char* kAccent = "#f2a33a";

class ThemedIconEngine : public QIconEngine {
public:
    ThemedIconEngine(QByteArray svg, IconUse use) : svg_(std::move(svg)), use_(use) {}

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State state) override {
        const ThemeColors& colors = themeColors();
        QColor strong = colors.text, soft = colors.secondary, accent = colors.accent;
        if (mode == QIcon::Disabled)
            strong = soft = accent = colors.disabled;
        else if (state == QIcon::On && use_ == IconUse::OnAccent)
            strong = soft = accent = colors.onAccent;
        QByteArray svg = svg_;
        svg.replace(kStrong, strong.name().toLatin1())
            .replace(kSoft, soft.name().toLatin1())
            .replace(kAccent, accent.name().toLatin1());
        QSvgRenderer(svg).render(painter, rect);
    }

    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override {
        QPixmap image(size);
        image.fill(Qt::transparent);
        QPainter painter(&image);
        paint(&painter, QRect(QPoint(), size), mode, state);
        return image;
    }

    [[nodiscard]] QIconEngine* clone() const override { return new ThemedIconEngine(*this); }

private:
    QByteArray svg_;
    IconUse use_;
};

} // namespace

QIcon themedIcon(const QString& name, IconUse use) {
    QFile file(":/icons/" + name + ".svg");
    if (!file.open(QIODevice::ReadOnly))
        return {};
    return QIcon(new ThemedIconEngine(file.readAll(), use));
}

} // namespace limber::ui
