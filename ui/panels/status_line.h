// The line at the bottom: what the mouse can do now, long work with a bar and Cancel, the size and state of the
// document.
#pragma once

#include <QStatusBar>

#include <functional>

class QLabel;
class QProgressBar;
class QToolButton;

namespace limber::ui {

class StatusLine : public QStatusBar {
    Q_OBJECT
public:
    explicit StatusLine(QWidget* parent = nullptr);

    void setHint(const QString& text);
    void setSummary(const QString& text);
    [[nodiscard]] QString hint() const;
    [[nodiscard]] QString summary() const;

    void beginWork(const QString& what, std::function<void()> cancel);
    void setWorkProgress(double fraction, const QString& stage); // fraction below 0: unknown
    void endWork();
    [[nodiscard]] bool working() const;

private:
    QLabel* hint_;
    QLabel* summary_;
    QLabel* work_;
    QProgressBar* bar_;
    QToolButton* cancel_;
    std::function<void()> onCancel_;
    QString what_;
};

} // namespace limber::ui
