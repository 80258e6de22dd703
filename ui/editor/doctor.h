// The import doctor as the window has it: examines a snapshot of the document beside the window, keeps what it found,
// and makes fixes one undo step each.
#pragma once

#include "core/check/doctor.h"
#include "ui/editor/editor.h"

#include <QObject>
#include <QTimer>

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

namespace limber::ui {

// Lives on the window's thread. Examines by itself after another document came, and again when the document has rested
// for a while after an edit.
class Doctor : public QObject {
    Q_OBJECT
public:
    explicit Doctor(Editor& editor, QObject* parent = nullptr);
    ~Doctor() override; // cancels what is being examined and waits for the rule it is at

    // Worst first. Of the document as it was when it was last examined; kept until the next result is there.
    [[nodiscard]] const std::vector<check::Finding>& findings() const { return findings_; }
    [[nodiscard]] std::size_t fixableCount() const; // those that fixAll() is about
    [[nodiscard]] bool working() const { return worker_.joinable(); }

    // The finding that Fix is about.
    void setCurrent(std::optional<std::size_t> finding);
    [[nodiscard]] const check::Finding* current() const;

    void examine();
    void examineAloud(); // and says what was found, once it is
    // Computed beside the window, then performed as one step. What could not be done is said in the window.
    void fixCurrent();
    void fixAll();
    // Selects the joints that the current finding is about.
    void showCurrent();

signals:
    void changed();

private:
    struct Outcome;
    using Work = std::function<void(const document::Document&, Outcome&)>;
    void start(Work work);
    void finish(const std::shared_ptr<Outcome>& outcome);
    void take(std::vector<check::Finding> findings);
    void tellCounts();
    void takeFix(Outcome& outcome, bool same);
    void fix(std::vector<check::Finding> findings);
    void examineSoon();

    Editor& editor_;
    std::vector<check::Finding> findings_;
    std::optional<std::size_t> current_;
    std::optional<std::uint64_t> examined_; // the revision that findings_ are of
    QTimer soon_;
    bool again_ = false; // the document changed while it was being examined
    bool aloud_ = false;
    std::atomic<bool> cancelled_ = false;
    std::thread worker_;
};

} // namespace limber::ui
