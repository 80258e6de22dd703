// What fuzzing starts from, and everything that it found, once more. A fault ends the program.
#include "tests/fuzz/targets.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QTest>

using namespace limber;

class TestFuzzCorpus : public QObject {
    Q_OBJECT

private slots:
    void everyFileIsReadWithoutHarm_data();
    void everyFileIsReadWithoutHarm();
};

void TestFuzzCorpus::everyFileIsReadWithoutHarm_data() {
    QTest::addColumn<int>("target");
    QTest::addColumn<QString>("path");
    for (std::size_t t = 0; t < std::size(fuzz::kTargets); ++t)
        for (const char* folder : {"corpus", "regressions"}) {
            const QString name = QString("%1/%2").arg(folder, fuzz::kTargets[t].name);
            QDirIterator files(LIMBER_SOURCE_DIR "/tests/fuzz/" + name, QDir::Files);
            while (files.hasNext()) {
                const QString path = files.next();
                QTest::newRow(qPrintable(name + '/' + files.fileName())) << static_cast<int>(t) << path;
            }
        }
}

void TestFuzzCorpus::everyFileIsReadWithoutHarm() {
    QFETCH(int, target);
    QFETCH(QString, path);
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray bytes = file.readAll();
    fuzz::kTargets[target].run(std::as_bytes(std::span(bytes.constData(), static_cast<std::size_t>(bytes.size()))));
}

QTEST_APPLESS_MAIN(TestFuzzCorpus)
#include "test_fuzz_corpus.moc"
