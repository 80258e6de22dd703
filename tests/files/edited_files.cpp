// Saves edited documents and checks each: what was saved reads back, only what was edited changed, a second save gives
// the same bytes. What it writes is for judges outside (tests/peers).
//   edited_files OUT_FOLDER COUNT SEED [FOLDER ...]
// First every file of the test data (and of FOLDERs) after one edit of each kind, then COUNT files after 1 to 20 random
// edits with undo among them. OUT_FOLDER/list.txt has a line "source<TAB>output" for each. Exit code 1 with findings.
#include "core/history/history.h"
#include "core/io/gltf_tree.h"
#include "core/io/mannequin.h"
#include "core/io/safe_save.h"
#include "tests/support/file_edits.h"
#include "tests/support/saved_check.h"
#include "tests/support/scatter.h"
#include "tests/support/test_data.h"

#include <fstream>
#include <iostream>

using namespace limber;
using namespace limber::test;
namespace fs = std::filesystem;

namespace {

constexpr std::uintmax_t kLargest = 8 << 20; // bytes: the same code runs for larger files, only longer

bool isGltf(const fs::path& path) {
    return path.extension() == ".glb" || path.extension() == ".gltf";
}

void addFolder(const fs::path& folder, std::vector<fs::path>& files) {
    std::error_code none;
    for (const auto& entry : fs::recursive_directory_iterator(folder, none))
        if (isGltf(entry.path()) && entry.file_size(none) <= kLargest)
            files.push_back(entry.path());
}

// Those of the validator's corpus that it finds nothing wrong with.
void addCorpus(const fs::path& folder, std::vector<fs::path>& files) {
    std::ifstream list(folder / "EXPECTED.csv");
    for (std::string line; std::getline(list, line);) {
        const std::size_t comma = line.find(',');
        if (comma != line.npos && line.substr(comma, 3) == ",0,")
            files.push_back(folder / line.substr(0, comma));
    }
}

class Run {
public:
    Run(fs::path out, unsigned seed) : out_(std::move(out)), random_(seed), list_(out_ / "list.txt") {}

    void eachKind(const fs::path& path) {
        auto file = load(path);
        if (!file)
            return;
        document::Document doc(opened(*file));
        FileEdits edits(doc, random_);
        history::History history;
        for (int kind = 0; kind < FileEdits::kKinds; ++kind)
            history.perform(doc, edits.make(kind));
        save(path, *file, doc, "all kinds");
    }

    void randomEdits(const fs::path& path) {
        auto file = load(path);
        if (!file)
            return;
        document::Document doc(opened(*file));
        FileEdits edits(doc, random_);
        history::History history;
        std::string kinds;
        for (std::size_t left = 1 + random_.index(20); left > 0; --left) {
            if (random_.index(5) == 0) {
                history.undo(doc);
                kinds += " undo";
                continue;
            }
            const auto kind = static_cast<int>(random_.index(FileEdits::kKinds));
            history.perform(doc, edits.make(kind));
            kinds += " " + std::to_string(kind);
        }
        save(path, *file, doc, "edits" + kinds);
    }

    int findings() const { return findings_; }
    std::size_t saved() const { return saved_; }

private:
    std::optional<io::LoadedFile> load(const fs::path& path) {
        auto file = io::loadGltf(path);
        if (file)
            return std::move(*file);
        find(path, "not opened: " + file.error().message());
        return std::nullopt;
    }

    // Every third with its meshes in an order by chance, as the editor orders large ones.
    document::DocumentState opened(const io::LoadedFile& file) {
        return random_.index(3) == 0 ? scattered(file.state, random_) : file.state;
    }

    void find(const fs::path& path, const std::string& what) {
        ++findings_;
        std::cout << path.filename().string() << ": " << what << std::endl;
    }

    // In the source's own container, or now and then in the other.
    void save(const fs::path& source, const io::LoadedFile& file, const document::Document& doc,
              const std::string& kinds) {
        const std::string name = source.extension() == ".glb" ? "saved.glb" : "saved.gltf";
        const bool other = random_.index(4) == 0 && !lacksData(file);
        const fs::path folder = out_ / (std::to_string(saved_++) + "_" + source.stem().string());
        fs::create_directories(folder);
        const fs::path path = folder / (!other ? name : source.extension() == ".glb" ? "saved.gltf" : "saved.glb");
        const auto notes = io::saveGltf(*file.source, doc, path);
        if (!notes)
            return find(source, "not saved: " + notes.error().message() + " (" + kinds + ")");
        list_ << source.string() << '\t' << path.string() << '\n';
        const auto back = io::loadGltf(path);
        if (!back)
            return find(path, "not opened again: " + back.error().message() + " (" + kinds + ")");
        const document::DocumentState now = document::inFileOrder(doc.state());
        std::string fault = lostInFile(now, back->state);
        if (!fault.empty())
            fault = "lost: " + fault;
        if (fault.empty())
            fault = changedClip(file.state, now, back->state);
        if (fault.empty())
            fault = surfaceMoved(now, back->state);
        if (fault.empty() && !other)
            fault = changedBesides(file, *back, Touched(file.state, now));
        if (fault.empty())
            fault = secondSave(path, *back);
        if (!fault.empty())
            find(source, fault + " (" + kinds + ", " + path.string() + ")");
    }

    // Buffers without data, which only a .gltf may have.
    static bool lacksData(const io::LoadedFile& file) {
        return std::any_of(file.source->buffers.begin(), file.source->buffers.end(),
                           [](const io::SourceBuffer& b) { return b.kind == io::SourceBuffer::Kind::Missing; });
    }

    static std::string secondSave(const fs::path& path, const io::LoadedFile& back) {
        const auto container = path.extension() == ".glb" ? io::Container::Glb : io::Container::Gltf;
        const auto again = io::writeGltf(*back.source, document::Document(back.state), container);
        if (!again)
            return "a second save fails: " + again.error().message();
        const auto bytes = io::readFile(path);
        return bytes && *bytes == again->bytes ? "" : "a second save differs";
    }

    fs::path out_;
    Random random_;
    std::ofstream list_;
    int findings_ = 0;
    std::size_t saved_ = 0;
};

} // namespace

int main(int argc, char** argv) {
    if (argc < 4) {
        std::cerr << "edited_files OUT_FOLDER COUNT SEED [FOLDER ...]\n";
        return 2;
    }
    const fs::path out = argv[1];
    fs::create_directories(out);
    const auto mannequin = io::mannequinGlb();
    if (!mannequin || !io::safeSave(out / "mannequin.glb", *mannequin).ok())
        return 1;
    std::vector<fs::path> files{out / "mannequin.glb"};
    for (const char* folder : {"demo", "gltf"})
        addFolder(tests::dataFile(folder), files);
    addCorpus(tests::dataFile("khronos"), files);
    for (int k = 4; k < argc; ++k)
        addFolder(argv[k], files);
    if (files.size() == 1)
        std::cout << "The test data is not there: the mannequin alone is edited.\n";
    std::sort(files.begin() + 1, files.end());

    Run run(out, static_cast<unsigned>(std::stoul(argv[3])));
    for (const fs::path& path : files)
        run.eachKind(path);
    Random choice(static_cast<unsigned>(std::stoul(argv[3])) + 1);
    for (int n = std::stoi(argv[2]); n > 0; --n)
        run.randomEdits(files[choice.index(files.size())]);
    std::cout << run.saved() << " files saved, " << run.findings() << " findings\n";
    return run.findings() ? 1 : 0;
}
