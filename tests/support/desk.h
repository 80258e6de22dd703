// The editor and its session without a window, with the answers a user would give, and the journals they leave.
#pragma once

#include "app/session.h"

#include <QSignalSpy>
#include <QtTest>

#include <filesystem>
#include <functional>
#include <vector>

namespace limber::test {

// A window's insides.
struct Desk {
    using Answer = app::Session::RecoveryAnswer;
    explicit Desk(const std::filesystem::path& state) : session(editor, settings) {
        session.keepState(state);
        session.askRecover = [this](const app::Recoverable& journal) {
            offered.push_back(journal.summary);
            return answer;
        };
        session.askOpenChanged = [this](const QString&) { return ++changedAsked, openChanged; };
        session.askOpenTwice = [this](const QString&) { return ++twiceAsked, openTwice; };
        session.askOverwriteChanged = [this](const QString&) { return ++overwriteAsked, overwrite; };
        session.askSavePath = [this](const QString&) { return savePath; };
    }
    bool wait(const std::function<void()>& begin) {
        QSignalSpy opened(&session, &app::Session::opened), failed(&session, &app::Session::failed);
        begin();
        return QTest::qWaitFor([&] { return !opened.isEmpty() || !failed.isEmpty(); }, 30000) && !opened.isEmpty();
    }
    bool open(const std::filesystem::path& file) {
        return wait([&] { session.open(file); });
    }
    std::uint64_t hash() const { return editor.document().hash(); }

    app::Settings settings;
    ui::Editor editor;
    app::Session session;
    Answer answer = Answer::Recover;
    std::vector<history::JournalSummary> offered;
    bool openChanged = false, openTwice = false, overwrite = false;
    int changedAsked = 0, twiceAsked = 0, overwriteAsked = 0;
    QString savePath;
};

// Leaves the journal as a kill would: the copy is of a process that is gone.
inline void leaveBehind(const std::filesystem::path& from, const std::filesystem::path& to) {
    std::filesystem::create_directories(to / "journals");
    for (const std::filesystem::directory_entry& entry : std::filesystem::directory_iterator(from / "journals"))
        if (entry.path().extension() == ".journal")
            std::filesystem::copy_file(entry.path(), to / "journals" / entry.path().filename(),
                                       std::filesystem::copy_options::overwrite_existing);
}

inline std::size_t countJournals(const std::filesystem::path& state) {
    std::size_t count = 0;
    std::error_code unused;
    for (const std::filesystem::directory_entry& entry :
         std::filesystem::directory_iterator(state / "journals", unused))
        count += entry.path().extension() == ".journal";
    return count;
}

} // namespace limber::test
