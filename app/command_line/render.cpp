#include "app/command_line/render.h"

#include "app/command_line/posed_scene.h"
#include "app/display.h"
#include "core/io/safe_save.h"
#include "ui/editor/editor.h"
#include "ui/viewport/camera.h"
#include "ui/viewport/graphics_setup.h"
#include "ui/viewport/render_scene.h"

#include <QApplication>
#include <QBuffer>

#include <cstdio>
#include <cstdlib>
#include <unistd.h>

namespace limber::app {

namespace {

constexpr int kSmallestSide = 16, kLargestSide = 8192;
constexpr const char* kUnderXvfb = "LIMBER_UNDER_XVFB"; // set for the second start, so that there is no third

Result<QSize> readSize(const Arguments& arguments) {
    if (!arguments.has("--size"))
        return QSize(1280, 960);
    const std::string& word = arguments.value("--size");
    const std::size_t x = word.find('x');
    if (x == std::string::npos)
        return usageError("--size: \"" + word + "\" is not WxH, such as 1280x960.");
    const auto width = parseInteger("--size", std::string_view(word).substr(0, x), kSmallestSide, kLargestSide);
    const auto height = parseInteger("--size", std::string_view(word).substr(x + 1), kSmallestSide, kLargestSide);
    if (!width || !height)
        return (width ? height : width).error();
    return QSize(*width, *height);
}

std::string optional(const Arguments& arguments, const char* option) {
    return arguments.has(option) ? arguments.value(option) : std::string();
}

// Starts the program again with the same arguments on a display of its own. Returns only where that fails.
Error restartUnderXvfb(const Arguments& arguments, const std::string& missing) {
    const Error noDisplay{ErrorCode::Failed,
                          missing + " Drawing needs one: set DISPLAY, or install xvfb, which is then used by itself.",
                          ""};
    if (std::getenv(kUnderXvfb))
        return noDisplay;
    std::error_code error;
    const std::string self = std::filesystem::read_symlink("/proc/self/exe", error).string();
    if (error)
        return noDisplay;
    // A server that resets itself after its last client sends xvfb-run another signal, in the midst of its cleaning up:
    // it then ends with 5 and leaves the server running.
    std::vector<std::string> words{"xvfb-run", "-a", "-s", "-screen 0 1280x1024x24 -noreset", self, "render"};
    for (const char* option : {"--pose", "--weights", "--method", "--size", "--output"})
        if (arguments.has(option))
            words.push_back(std::string(option) + '=' + arguments.value(option));
    words.insert(words.end(), {"--", arguments.positional(0)});
    std::vector<char*> argv;
    for (std::string& w : words)
        argv.push_back(w.data());
    argv.push_back(nullptr);
    ::setenv(kUnderXvfb, "1", 1);
    ::execvp(argv[0], argv.data());
    return noDisplay;
}

// A QApplication wants arguments that live as long as it does.
class Graphics {
public:
    Graphics() {
        // Qt's remarks about the session it runs in are of no use on a command line.
        qInstallMessageHandler([](QtMsgType type, const QMessageLogContext&, const QString& text) {
            if (type == QtCriticalMsg || type == QtFatalMsg)
                std::fprintf(stderr, "limber: %s\n", qPrintable(text));
        });
        ui::prepareGraphics();
        application_.emplace(argc_, argv_);
    }

private:
    char name_[7] = "limber";
    char* argv_[2] = {name_, nullptr};
    int argc_ = 1;
    std::optional<QApplication> application_;
};

Status showWeights(ui::Editor& editor, const std::string& jointName) {
    const auto joint = findJoint(editor.document().state(), jointName);
    if (!joint) {
        Error error = joint.error();
        error.where = "--weights " + error.where;
        return error;
    }
    document::Selection selection;
    selection.set(*joint);
    editor.setSelection(selection);
    return {};
}

Result<QImage> draw(const io::LoadedFile& file, const Arguments& arguments, QSize size) {
    document::DocumentState state = file.state;
    if (arguments.has("--pose")) {
        auto pose = readPoseFile(arguments.value("--pose"), state);
        if (!pose)
            return pose.error();
        state.pose = std::move(pose).value();
    }
    const auto method = methodOption(arguments);
    if (!method)
        return method.error();
    for (document::MeshData& mesh : state.meshes)
        mesh.skinning.method = method->value_or(mesh.skinning.method);
    ui::Editor editor;
    editor.replaceDocument(std::move(state), {});
    ui::ViewState view = editor.view();
    view.skeleton = false;
    view.heatMap = arguments.has("--weights");
    editor.setView(view);
    if (view.heatMap)
        if (const Status s = showWeights(editor, arguments.value("--weights")); !s)
            return s.error();
    ui::Camera camera;
    camera.setViewport(size.width(), size.height());
    const Eigen::AlignedBox3d bounds = editor.evaluator().bounds();
    camera.setSceneBounds(bounds);
    camera.frame(bounds);
    ui::PictureOptions options;
    options.size = size;
    return ui::renderScene(editor, camera, options);
}

Result<ExitCode> run(const Arguments& arguments, const Console& console) {
    const auto size = readSize(arguments);
    if (!size)
        return size.error();
    const std::string& output = arguments.value("--output");
    if (const Status s = checkOutput(output, {".png"}, {arguments.positional(0), optional(arguments, "--pose")}); !s)
        return s.error();
    if (const auto method = methodOption(arguments); !method)
        return method.error();
    if (const auto missing = missingDisplay())
        return restartUnderXvfb(arguments, *missing);
    const auto file = openListed(arguments.positional(0), console);
    if (!file)
        return file.error();
    const Graphics graphics;
    const auto image = draw(*file, arguments, *size);
    if (!image)
        return image.error();
    QByteArray png;
    QBuffer buffer(&png);
    if (!buffer.open(QIODevice::WriteOnly) || !image->save(&buffer, "PNG"))
        return Error{ErrorCode::Failed, "The picture could not be encoded.", output};
    if (const Status s = io::safeSave(output, std::as_bytes(std::span(png.constData(), std::size_t(png.size())))); !s)
        return s.error();
    return exitCodeFor(*file);
}

} // namespace

Command renderCommand() {
    return {"render",
            "Draws a picture.",
            "Drawing needs OpenGL. Where there is no display the program starts itself again under xvfb-run.",
            {"FILE"},
            {{"--pose", "", "POSE.json", "a pose; joints that it does not list go to bind"},
             {"--weights", "", "JOINT", "show this joint's weights as colours"},
             {"--method", "", "METHOD", "linear, dual-quaternion or spherical; each mesh's own where it is left out"},
             {"--size", "", "WxH", "in pixels; 1280x960 where it is left out"},
             {"--output", "-o", "OUT.png", "the file to write", false, true}},
            run};
}

} // namespace limber::app
