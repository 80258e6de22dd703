#include "ui/editor/doctor.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <new>
#include <utility>

namespace limber::ui {

namespace {

constexpr std::chrono::milliseconds kRest(1500);

} // namespace

struct Doctor::Outcome {
    std::uint64_t revision = 0;
    std::optional<std::vector<check::Finding>> findings;
    std::optional<Result<document::Edit>> edit;
    check::Notes notes;
};

Doctor::Doctor(Editor& editor, QObject* parent) : QObject(parent), editor_(editor) {
    soon_.setSingleShot(true);
    soon_.setInterval(kRest);
    connect(&soon_, &QTimer::timeout, this, &Doctor::examineSoon);
    connect(&editor_, &Editor::documentReplaced, this, [this] {
        cancelled_ = working(); // of another document
        findings_.clear();
        examined_.reset();
        setCurrent(std::nullopt);
        examine();
    });
    connect(&editor_, &Editor::historyChanged, &soon_, qOverload<>(&QTimer::start));
}

Doctor::~Doctor() {
    cancelled_ = true;
    if (worker_.joinable())
        worker_.join();
}

std::size_t Doctor::fixableCount() const {
    return static_cast<std::size_t>(
        std::count_if(findings_.begin(), findings_.end(), [](const check::Finding& f) { return f.wantsFix(); }));
}

void Doctor::setCurrent(std::optional<std::size_t> finding) {
    current_ = finding;
    emit changed();
}

const check::Finding* Doctor::current() const {
    return current_ && *current_ < findings_.size() ? &findings_[*current_] : nullptr;
}

// A stroke must not be held up by the copy of the document.
void Doctor::examineSoon() {
    if (editor_.hasPreview() && !editor_.holdsPreview())
        soon_.start();
    else if (examined_ != editor_.document().revision())
        examine();
}

void Doctor::examineAloud() {
    aloud_ = true;
    examine();
}

void Doctor::examine() {
    soon_.stop();
    if (working()) {
        again_ = true;
        return;
    }
    start([this](const document::Document& doc, Outcome& outcome) {
        outcome.findings = check::examine(doc, {.cancelled = &cancelled_});
    });
}

void Doctor::fixCurrent() {
    if (const check::Finding* finding = current())
        fix({*finding});
}

void Doctor::fixAll() {
    std::vector<check::Finding> wrong = findings_;
    std::erase_if(wrong, [](const check::Finding& f) { return !f.wantsFix(); });
    fix(std::move(wrong));
}

void Doctor::fix(std::vector<check::Finding> findings) {
    if (working()) {
        editor_.say(tr("The document is still being checked; try again in a moment"));
        return;
    }
    editor_.beginEdit();
    start([findings = std::move(findings)](const document::Document& doc, Outcome& outcome) {
        outcome.edit = findings.size() == 1 ? check::fix(doc, findings.front(), &outcome.notes)
                                            : check::fixAll(doc, findings, &outcome.notes);
    });
}

void Doctor::start(Work work) {
    auto snapshot = std::make_shared<const document::Document>(editor_.document());
    auto outcome = std::make_shared<Outcome>();
    outcome->revision = snapshot->revision();
    worker_ = std::thread([this, snapshot, outcome, work = std::move(work)] {
        // A thread has nobody above it who could catch.
        try {
            work(*snapshot, *outcome);
        } catch (const std::bad_alloc&) {
            outcome->edit = Error{ErrorCode::Failed, "There is not enough memory to check the document.", ""};
        } catch (const std::exception& e) {
            outcome->edit = Error{ErrorCode::Failed, std::string("The document could not be checked: ") + e.what(), ""};
        }
        QMetaObject::invokeMethod(
            this, [this, outcome] { finish(outcome); }, Qt::QueuedConnection);
    });
    emit changed();
}

void Doctor::finish(const std::shared_ptr<Outcome>& outcome) {
    worker_.join();
    cancelled_ = false;
    const bool same = editor_.document().revision() == outcome->revision && !again_;
    again_ = false;
    if (outcome->edit)
        takeFix(*outcome, same);
    if (outcome->findings && same) {
        take(std::move(*outcome->findings));
        examined_ = outcome->revision;
    }
    emit changed();
    if (!same)
        examine();
}

// What was chosen stays chosen while it is still there.
void Doctor::take(std::vector<check::Finding> findings) {
    const check::Finding* chosen = current();
    const auto same = [chosen](const check::Finding& f) { return f.code == chosen->code && f.where == chosen->where; };
    const auto at = chosen ? std::find_if(findings.begin(), findings.end(), same) : findings.end();
    const auto index = static_cast<std::size_t>(at - findings.begin());
    current_ = at == findings.end() ? std::nullopt : std::optional(index);
    findings_ = std::move(findings);
    if (std::exchange(aloud_, false))
        tellCounts();
}

void Doctor::tellCounts() {
    const auto informs = [](const check::Finding& f) { return f.severity == check::Severity::Info; };
    const auto good = static_cast<int>(std::count_if(findings_.begin(), findings_.end(), informs));
    const int wrong = static_cast<int>(findings_.size()) - good;
    if (findings_.empty())
        editor_.say(tr("Checked: nothing wrong was found"));
    else
        editor_.say(tr("Checked: %1, %2 good to know")
                        .arg(wrong == 1 ? tr("1 warning") : tr("%1 warnings").arg(wrong))
                        .arg(good));
}

void Doctor::takeFix(Outcome& outcome, bool same) {
    if (!*outcome.edit) {
        editor_.say(QString::fromStdString(outcome.edit->error().text));
    } else if (!same) {
        editor_.say(tr("The document changed while the fix was made; try again"));
    } else {
        editor_.perform(std::move(*outcome.edit).value());
        examine();
        if (!outcome.notes.empty())
            editor_.say(QString::fromStdString(outcome.notes.front()));
    }
}

void Doctor::showCurrent() {
    const check::Finding* finding = current();
    if (!finding || finding->joints.empty())
        return;
    document::Selection selection;
    selection.set(finding->joints);
    editor_.setSelection(std::move(selection));
}

} // namespace limber::ui
