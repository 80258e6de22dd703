// One executable: the editor, the command line, and the worker that imports files nobody checked.
#include "app/command_line/command_line.h"
#include "app/command_line/render.h"
#include "app/import_worker.h"
#include "app/run_editor.h"

#include <csignal>
#include <cstdio>
#include <exception>
#include <iostream>

namespace {

int run(int argc, char** argv) {
    using namespace limber;
    if (argc > 1 && argv[1] == app::kImportWorkerOption) {
        std::signal(SIGXFSZ, SIG_DFL); // the worker's limits are meant to end it
        return app::runImportWorker(std::span<char* const>(argv + 2, static_cast<std::size_t>(argc - 2)));
    }

    const std::vector<std::string> words(argv + 1, argv + argc);
    std::vector<app::Command> commands = app::plainCommands();
    commands.push_back(app::renderCommand());
    if (const auto exitCode = app::runCommandLine(words, commands, {std::cout, std::cerr}))
        return *exitCode;
    if (words.empty())
        return app::runEditor(argc, argv, std::nullopt);
    return app::runEditor(argc, argv, std::filesystem::path(words.back()));
}

} // namespace

int main(int argc, char** argv) {
    std::signal(SIGXFSZ, SIG_IGN); // a file beyond the user's limit is a write that fails and is told
    try {
        return run(argc, argv);
    } catch (const std::bad_alloc&) {
        std::fputs("limber: There is not enough memory for this.\n", stderr);
    } catch (const std::exception& e) {
        std::fprintf(stderr, "limber: Something unexpected went wrong: %s.\n", e.what());
    }
    return 1;
}
