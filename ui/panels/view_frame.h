// What stands around the view: a notice that waits to be read above it, passing messages over its lower edge.
#pragma once

#include <QWidget>

class QFrame;
class QLabel;
class QTimer;

namespace limber::ui {

class ViewFrame : public QWidget {
    Q_OBJECT
public:
    explicit ViewFrame(QWidget* view, QWidget* parent = nullptr);

    void say(const QString& text);                                // leaves by itself
    void showNotice(const QString& what, const QString& details); // stays until it is closed or replaced
    void hideNotice();
    [[nodiscard]] QString noticeText() const; // empty where none shows
    [[nodiscard]] QString message() const;

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void placeToast();

    QFrame* notice_;
    QLabel* what_;
    QLabel* details_;
    QLabel* toast_;
    QTimer* toastTimer_;
};

} // namespace limber::ui
