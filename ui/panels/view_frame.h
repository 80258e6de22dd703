// What stands around the view: a notice that waits to be read above it, passing messages over its lower edge.
#pragma once

#include <QWidget>

#include <functional>

class QFrame;
class QLabel;
class QTimer;
class QToolButton;

namespace limber::ui {

class ViewFrame : public QWidget {
    Q_OBJECT
public:
    explicit ViewFrame(QWidget* view, QWidget* parent = nullptr);

    void say(const QString& text); // leaves by itself
    // Stays until it is closed or replaced. With `action`, a button that runs `run`.
    void showNotice(const QString& what, const QString& details, const QString& action = {},
                    std::function<void()> run = {});
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
    QToolButton* action_;
    std::function<void()> run_;
    QLabel* toast_;
    QTimer* toastTimer_;
};

} // namespace limber::ui
