#include "app/run_editor.h"

#include "app/application.h"
#include "app/display.h"
#include "ui/viewport/graphics_setup.h"

#include <QApplication>

#include <cstdio>

namespace limber::app {

int runEditor(int& argc, char** argv, std::optional<std::filesystem::path> file) {
    if (const std::optional<std::string> missing = missingDisplay()) {
        std::fprintf(stderr, "limber: %s The editor needs one; the command line does not: see `limber --help`.\n",
                     missing->c_str());
        return 1;
    }
    ui::prepareGraphics();
    QApplication qt(argc, argv);
    QApplication::setApplicationName("limber");
    QApplication::setApplicationDisplayName("Limber");
    QApplication::setApplicationVersion(LIMBER_VERSION);
    QApplication::setDesktopFileName("limber");

    Application application;
    application.window().show();
    if (file)
        application.session().open(*file);
    else
        application.session().openMannequin();
    return QApplication::exec();
}

} // namespace limber::app
