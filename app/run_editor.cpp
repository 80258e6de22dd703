#include "app/run_editor.h"

#include "app/application.h"
#include "app/display.h"
#include "app/freed_memory.h"
#include "app/paths.h"
#include "ui/viewport/graphics_setup.h"

#include <QApplication>
#include <QTimer>

#include <cstdio>
#include <cstdlib>

namespace limber::app {

namespace {
constexpr int kPatienceMs = 300; // for the import worker to end
}

int runEditor(int& argc, char** argv, std::optional<std::filesystem::path> file) {
    if (const std::optional<std::string> missing = missingDisplay()) {
        std::fprintf(stderr, "limber: %s The editor needs one; the command line does not: see `limber --help`.\n",
                     missing->c_str());
        return 1;
    }
    shareOneHeap();
    ui::prepareGraphics();
    QApplication qt(argc, argv);
    QApplication::setApplicationName("limber");
    QApplication::setApplicationDisplayName("Limber");
    QApplication::setApplicationVersion(LIMBER_VERSION);
    QApplication::setDesktopFileName("limber");

    Application application;
    application.session().keepState(stateFolder());
    application.window().show();
    // From the event loop: it may ask.
    QTimer::singleShot(0, &application.session(), [&] { application.session().begin(file); });
    const int code = QApplication::exec();
    if (application.session().stillReading(kPatienceMs)) {
        // Nobody waits for a file that is not wanted any more; its thread must not outlive what it uses.
        application.storeSettings();
        std::_Exit(code);
    }
    return code;
}

} // namespace limber::app
