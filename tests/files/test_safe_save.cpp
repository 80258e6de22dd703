// Saving leaves the old file or the new one, and says why where it cannot.
#include "core/io/safe_save.h"
#include "core/io/temporaries.h"

#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <fcntl.h>
#include <fstream>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace limber;

namespace {

constexpr uid_t kNobody = 65534;

std::vector<std::byte> filled(std::size_t size, int value) {
    return std::vector<std::byte>(size, static_cast<std::byte>(value));
}

std::size_t entries(const std::filesystem::path& folder) {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder), {}));
}

// The number of a process that has ended.
pid_t goneProcess() {
    const pid_t child = ::fork();
    if (child == 0)
        ::_exit(0);
    ::waitpid(child, nullptr, 0);
    return child;
}

// Files of this process may not grow beyond `bytes` while this lives: writing then fails as on a full disk.
class FileSizeLimit {
public:
    explicit FileSizeLimit(rlim_t bytes) {
        getrlimit(RLIMIT_FSIZE, &before_);
        handler_ = std::signal(SIGXFSZ, SIG_IGN);
        const rlimit limit{bytes, before_.rlim_max};
        setrlimit(RLIMIT_FSIZE, &limit);
    }
    ~FileSizeLimit() {
        setrlimit(RLIMIT_FSIZE, &before_);
        std::signal(SIGXFSZ, handler_);
    }

private:
    rlimit before_{};
    void (*handler_)(int) = nullptr;
};

} // namespace

class TestSafeSave : public QObject {
    Q_OBJECT

    QTemporaryDir place_;
    std::filesystem::path folder_ = place_.path().toStdString();

private slots:
    void init() {
        std::filesystem::remove_all(folder_ / "work");
        std::filesystem::create_directories(folder_ / "work");
    }

    void whatIsSavedIsRead() {
        const auto bytes = filled(100000, 7);
        QVERIFY(io::safeSave(folder_ / "work/a", bytes).ok());
        QVERIFY(*io::readFile(folder_ / "work/a") == bytes);
        QCOMPARE(entries(folder_ / "work"), std::size_t(1));
    }

    void aNewFileHasThePermissionsThatTheMaskLeaves() {
        const mode_t mask = ::umask(027);
        const bool saved = io::safeSave(folder_ / "work/a", filled(10, 1)).ok();
        ::umask(mask);
        struct stat facts {};
        QVERIFY(saved && ::stat((folder_ / "work/a").c_str(), &facts) == 0);
        QCOMPARE(facts.st_mode & 07777, mode_t(0640));
    }

    void permissionsAreKept() {
        const auto path = folder_ / "work/a";
        QVERIFY(io::safeSave(path, filled(10, 1)).ok());
        ::chmod(path.c_str(), 0640);
        QVERIFY(io::safeSave(path, filled(20, 2)).ok());
        struct stat facts {};
        QCOMPARE(::stat(path.c_str(), &facts), 0);
        QCOMPARE(facts.st_mode & 07777, mode_t(0640));
    }

    void aLinkStaysALink() {
        QVERIFY(io::safeSave(folder_ / "work/real", filled(10, 1)).ok());
        std::filesystem::create_symlink("real", folder_ / "work/link");
        QVERIFY(io::safeSave(folder_ / "work/link", filled(20, 2)).ok());
        QVERIFY(std::filesystem::is_symlink(folder_ / "work/link"));
        QCOMPARE(io::readFile(folder_ / "work/real")->size(), std::size_t(20));
    }

    void aFailedWriteLeavesTheOldFileAlone() {
        const auto path = folder_ / "work/a";
        QVERIFY(io::safeSave(path, filled(5000, 1)).ok());
        {
            const FileSizeLimit limit(4096);
            const Status saved = io::safeSave(path, filled(50000, 2));
            QVERIFY(!saved.ok());
            QCOMPARE(saved.error().code, ErrorCode::WriteFailed);
        }
        QVERIFY(*io::readFile(path) == filled(5000, 1));
        QCOMPARE(entries(folder_ / "work"), std::size_t(1));
    }

    void piecesFollowEachOther() {
        const auto first = filled(10, 1), last = filled(20, 3);
        const std::vector<std::span<const std::byte>> pieces{first, {}, last};
        QVERIFY(io::safeSave(folder_ / "work/a", pieces).ok());
        auto whole = first;
        whole.insert(whole.end(), last.begin(), last.end());
        QVERIFY(*io::readFile(folder_ / "work/a") == whole);
    }

    void previousSavesAreKeptOnRequest() {
        const auto path = folder_ / "work/a";
        for (int save = 1; save <= 6; ++save)
            QVERIFY(io::safeSave(path, filled(10, save), {3}).ok());
        QVERIFY(*io::readFile(path) == filled(10, 6));
        for (int k = 1; k <= 3; ++k)
            QVERIFY(*io::readFile(io::backupPath(path, k)) == filled(10, 6 - k));
        QCOMPARE(entries(folder_ / "work"), std::size_t(4));
        // Not asked for, they stay as they are.
        QVERIFY(io::safeSave(path, filled(10, 7)).ok());
        QVERIFY(*io::readFile(io::backupPath(path, 1)) == filled(10, 5));
    }

    void aPreviousSaveThatCannotBeKeptIsNotReplaced() {
        const auto path = folder_ / "work/a";
        QVERIFY(io::safeSave(path, filled(10, 1)).ok());
        std::filesystem::create_directories(io::backupPath(path, 1) / "in the way");
        QVERIFY(!io::safeSave(path, filled(10, 2), {1}).ok());
        QVERIFY(*io::readFile(path) == filled(10, 1));
        QCOMPARE(entries(folder_ / "work"), std::size_t(2));
    }

    void leftOverTemporariesAreSwept_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("minutesOld");
        QTest::addColumn<bool>("swept");
        const QString gone = QString::number(goneProcess()), here = QString::number(::getpid());
        QTest::newRow("of a process that is gone") << ".limber-save-" + gone + "-aB3xYz" << 11 << true;
        QTest::newRow("of one that has just gone") << ".limber-save-" + gone + "-aB3xYz" << 0 << true;
        QTest::newRow("of this process") << ".limber-save-" + here + "-aB3xYz" << 11 << false;
        QTest::newRow("a number used again, days later") << ".limber-save-" + here + "-aB3xYz" << 60 * 25 << true;
        QTest::newRow("no number") << ".limber-save--aB3xYz" << 60 * 25 << false;
        QTest::newRow("a longer name") << ".limber-save-" + gone + "-aB3xYz.glb" << 60 * 25 << false;
        QTest::newRow("a letter that no name has") << ".limber-save-" + gone + "-aB3x.z" << 60 * 25 << false;
        QTest::newRow("a file of somebody else") << "limber-save-1-aB3xYz" << 60 * 25 << false;
    }
    void leftOverTemporariesAreSwept() {
        QFETCH(QString, name);
        QFETCH(int, minutesOld);
        QFETCH(bool, swept);
        const auto path = folder_ / "work" / name.toStdString();
        std::ofstream(path) << "half";
        std::filesystem::last_write_time(path, std::filesystem::file_time_type::clock::now() -
                                                   std::chrono::minutes(minutesOld));
        QCOMPARE(io::sweepTemporaries(folder_ / "work"), std::size_t(swept));
        QCOMPARE(std::filesystem::exists(path), !swept);
    }

    void whatIsBeingWrittenIsNotSwept() {
        const auto path = folder_ / "work" / (".limber-save-" + std::to_string(goneProcess()) + "-aB3xYz");
        const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
        QVERIFY(file >= 0 && ::flock(file, LOCK_EX | LOCK_NB) == 0); // as a saving program of another machine does
        QCOMPARE(io::sweepTemporaries(folder_ / "work"), std::size_t(0));
        ::close(file);
        QCOMPARE(io::sweepTemporaries(folder_ / "work"), std::size_t(1));
    }

    void whatFailsBehindTheRenameIsToldApart() {
        const auto folder = folder_ / "work";
        QVERIFY(io::safeSave(folder / "a", filled(10, 1)).ok());
        bool replaced = false;
        io::SaveOptions options;
        options.replaced = &replaced;
        QVERIFY(!io::safeSave(folder / "none/a", filled(10, 2), options).ok() && !replaced);
        QVERIFY(io::safeSave(folder / "a", filled(10, 2), options).ok() && replaced);
        replaced = false;
        const uid_t user = ::geteuid();
        if (user == 0) { // who may do everything can flush any folder
            for (const auto& part : {folder_, folder})
                QVERIFY(::chown(part.c_str(), kNobody, static_cast<gid_t>(-1)) == 0);
            QVERIFY(::seteuid(kNobody) == 0);
        }
        ::chmod(folder.c_str(), 0300); // so that it cannot be opened to be flushed
        const bool saved = io::safeSave(folder / "a", filled(10, 3), options).ok();
        ::chmod(folder.c_str(), 0700);
        QVERIFY(::seteuid(user) == 0);
        QVERIFY(!saved && replaced);
        QVERIFY(*io::readFile(folder / "a") == filled(10, 3));
    }

    void onlyFilesAreSweptAndSavingSweeps() {
        const std::string name = ".limber-save-" + std::to_string(goneProcess()) + "-";
        const auto old = std::filesystem::file_time_type::clock::now() - std::chrono::hours(1);
        std::filesystem::create_directory(folder_ / "work" / (name + "folder"));
        std::filesystem::create_symlink("target", folder_ / "work" / (name + "abcdeL"));
        std::ofstream(folder_ / "work" / (name + "abcdeF")) << "half";
        std::filesystem::last_write_time(folder_ / "work" / (name + "folder"), old);
        std::filesystem::last_write_time(folder_ / "work" / (name + "abcdeF"), old);
        QVERIFY(io::safeSave(folder_ / "work/a", filled(10, 1)).ok());
        QCOMPARE(entries(folder_ / "work"), std::size_t(3));
        QCOMPARE(io::sweepTemporaries(folder_ / "nowhere"), std::size_t(0));
    }

    void aFullDiskIsNamed() {
        const Status saved = io::safeSave("/dev/full", filled(10, 1));
        QVERIFY(!saved.ok());
        QCOMPARE(saved.error().code, ErrorCode::WriteFailed);
    }

    void impossiblePlacesAreRefused_data() {
        QTest::addColumn<QString>("name");
        QTest::newRow("a folder") << "work";
        QTest::newRow("no such folder") << "nowhere/a";
        QTest::newRow("below a file") << "file/a";
        QTest::newRow("a name too long") << QString(400, 'x');
    }
    void impossiblePlacesAreRefused() {
        QFETCH(QString, name);
        QVERIFY(io::safeSave(folder_ / "file", filled(1, 1)).ok());
        const Status saved = io::safeSave(folder_ / name.toStdString(), filled(10, 1));
        QVERIFY(!saved.ok());
        QCOMPARE(saved.error().code, ErrorCode::WriteFailed);
        QVERIFY(saved.error().text.size() > 10);
    }

    void onlyRegularFilesAreRead_data() {
        QTest::addColumn<QString>("path");
        ::mkfifo((folder_ / "pipe").c_str(), 0600);
        QTest::newRow("pipe") << QString::fromStdString((folder_ / "pipe").string());
        QTest::newRow("folder") << QString::fromStdString(folder_.string());
        QTest::newRow("device") << "/dev/zero";
        QTest::newRow("missing") << QString::fromStdString((folder_ / "missing").string());
    }
    void onlyRegularFilesAreRead() {
        QFETCH(QString, path);
        const auto bytes = io::readFile(path.toStdString());
        QVERIFY(!bytes.ok());
        QCOMPARE(bytes.error().code, ErrorCode::InputRefused);
    }

    void aFileOverTheLimitIsNotRead() {
        QVERIFY(io::safeSave(folder_ / "work/a", filled(11, 1)).ok());
        QVERIFY(io::readFile(folder_ / "work/a", 11).ok());
        QVERIFY(!io::readFile(folder_ / "work/a", 10).ok());
    }
};

QTEST_APPLESS_MAIN(TestSafeSave)
#include "test_safe_save.moc"
