// Frames between the import worker and its parent: put together from any pieces, nothing else accepted.
#include "core/io/worker_protocol.h"

#include <QTest>

#include <random>

using namespace limber::io;

namespace {

std::vector<std::byte> bytesOf(std::string_view text) {
    const auto* bytes = reinterpret_cast<const std::byte*>(text.data());
    return {bytes, bytes + text.size()};
}

void append(std::vector<std::byte>& stream, std::span<const std::byte> bytes) {
    stream.insert(stream.end(), bytes.begin(), bytes.end());
}

std::vector<std::byte> sceneFrame(std::span<const std::byte> glb) {
    const auto header = frameHeader(FrameKind::Scene, glb.size());
    std::vector<std::byte> frame(header.begin(), header.end());
    append(frame, glb);
    return frame;
}

std::vector<std::byte> usualStream() {
    std::vector<std::byte> stream = progressFrame(0.25, "Reading");
    append(stream, noteFrame({"CODE", "mesh \"a\nb\"", "Two\nlines.", 7}));
    append(stream, sceneFrame(bytesOf("the scene")));
    return stream;
}

bool accepts(std::span<const std::byte> stream) {
    FrameReader reader;
    return reader.append(stream);
}

} // namespace

class TestWorkerProtocol : public QObject {
    Q_OBJECT

private slots:
    void framesComeBackWhateverThePieces_data();
    void framesComeBackWhateverThePieces();
    void aStreamThatIsNotFramesIsRefused_data();
    void aStreamThatIsNotFramesIsRefused();
    void announcedLengthsTakeNoMemory();
    void longTextsAreCutAtACharacter();
    void moreNotesThanAllowedAreRefused();
    void nothingFollowsTheScene();
    void aCutStreamIsNoticed();
    void progressThatIsNotANumberIsIgnored();
    void randomBytesNeverGiveAFrame();
};

void TestWorkerProtocol::framesComeBackWhateverThePieces_data() {
    QTest::addColumn<int>("pieceBytes");
    for (const int bytes : {1, 3, 16, 17, 100000})
        QTest::addRow("%d bytes a piece", bytes) << bytes;
}

void TestWorkerProtocol::framesComeBackWhateverThePieces() {
    QFETCH(int, pieceBytes);
    const auto stream = usualStream();
    FrameReader reader;
    std::vector<Frame> frames;
    for (std::size_t at = 0; at < stream.size(); at += std::size_t(pieceBytes)) {
        const std::size_t n = std::min(stream.size() - at, std::size_t(pieceBytes));
        QVERIFY(reader.append(std::span(stream).subspan(at, n)));
        while (auto frame = reader.next())
            frames.push_back(std::move(*frame));
    }
    QCOMPARE(frames.size(), std::size_t(3));
    const auto progress = parseProgress(frames[0]);
    QVERIFY(progress);
    QCOMPARE(progress->fraction, 0.25);
    QCOMPARE(progress->stage, std::string("Reading"));
    const auto note = parseNote(frames[1]);
    QVERIFY(note);
    QCOMPARE(note->code, std::string("CODE"));
    QCOMPARE(note->where, std::string("mesh \"a b\""));
    QCOMPARE(note->text, std::string("Two\nlines."));
    QCOMPARE(note->count, std::size_t(7));
    QCOMPARE(frames[2].text(), std::string_view("the scene"));
    QVERIFY(reader.atBoundary());
}

void TestWorkerProtocol::aStreamThatIsNotFramesIsRefused_data() {
    QTest::addColumn<QByteArray>("header");
    const auto changed = [](int at, char value) {
        const auto header = frameHeader(FrameKind::Failure, 3);
        QByteArray bytes(reinterpret_cast<const char*>(header.data()), qsizetype(header.size()));
        bytes[at] = value;
        return bytes;
    };
    QTest::newRow("other magic") << changed(0, 'X');
    QTest::newRow("kind 0") << changed(4, 0);
    QTest::newRow("kind that does not exist") << changed(4, 9);
    QTest::newRow("padding not zero") << changed(6, 1);
    QTest::newRow("failure too long") << changed(10, 1);
    QTest::newRow("length beyond all memory") << changed(15, '\xff');
    QTest::newRow("text on standard output") << QByteArray("Assimp says hello to everyone");
}

void TestWorkerProtocol::aStreamThatIsNotFramesIsRefused() {
    QFETCH(QByteArray, header);
    QVERIFY(accepts(frameHeader(FrameKind::Failure, 3)));
    QVERIFY(!accepts(std::as_bytes(std::span(header.constData(), std::size_t(header.size())))));
}

void TestWorkerProtocol::announcedLengthsTakeNoMemory() {
    FrameReader reader;
    QVERIFY(reader.append(frameHeader(FrameKind::Scene, maxFramePayload(FrameKind::Scene))));
    QVERIFY(!reader.next());
    QVERIFY(!accepts(frameHeader(FrameKind::Scene, maxFramePayload(FrameKind::Scene) + 1)));
}

void TestWorkerProtocol::longTextsAreCutAtACharacter() {
    std::string text(maxFramePayload(FrameKind::Failure) - 1, 'a');
    text += "\xc3\xa4 and more"; // its second byte would be the first beyond the limit
    FrameReader reader;
    QVERIFY(reader.append(textFrame(FrameKind::Failure, text)));
    const auto frame = reader.next();
    QVERIFY(frame);
    QCOMPARE(frame->text(), std::string_view(text).substr(0, maxFramePayload(FrameKind::Failure) - 1));
}

void TestWorkerProtocol::moreNotesThanAllowedAreRefused() {
    FrameReader reader;
    const auto note = noteFrame({"C", "", "text", 1});
    for (std::size_t i = 0; i < kMaxNotes; ++i)
        QVERIFY(reader.append(note));
    QVERIFY(!reader.append(note));
}

void TestWorkerProtocol::nothingFollowsTheScene() {
    auto stream = sceneFrame(bytesOf("scene"));
    append(stream, progressFrame(1, "more"));
    QVERIFY(!accepts(stream));
}

void TestWorkerProtocol::aCutStreamIsNoticed() {
    const auto stream = usualStream();
    FrameReader reader;
    QVERIFY(reader.append(std::span(stream).first(stream.size() - 1)));
    QVERIFY(!reader.atBoundary());
}

void TestWorkerProtocol::progressThatIsNotANumberIsIgnored() {
    FrameReader reader;
    QVERIFY(reader.append(progressFrame(std::nan(""), "stage")));
    QVERIFY(!parseProgress(*reader.next()));
}

void TestWorkerProtocol::randomBytesNeverGiveAFrame() {
    std::mt19937 random(7);
    for (int round = 0; round < 500; ++round) {
        std::vector<std::byte> bytes(64);
        for (std::byte& b : bytes)
            b = static_cast<std::byte>(random() & 0xff);
        FrameReader reader;
        static_cast<void>(reader.append(bytes));
        QVERIFY(!reader.next());
    }
}

QTEST_APPLESS_MAIN(TestWorkerProtocol)
#include "test_worker_protocol.moc"
