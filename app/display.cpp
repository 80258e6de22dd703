#include "app/display.h"

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace limber::app {

namespace {

std::string fromEnvironment(const char* name) {
    const char* value = std::getenv(name);
    return value ? value : "";
}

// X servers listen on a socket file and on its name in the abstract namespace.
bool answers(const std::string& socketPath, bool abstractName) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const std::size_t offset = abstractName ? 1 : 0;
    if (socketPath.size() + offset >= sizeof address.sun_path)
        return false;
    std::memcpy(address.sun_path + offset, socketPath.data(), socketPath.size());
    const int handle = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (handle < 0)
        return false;
    const auto length =
        static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + offset + socketPath.size() + (abstractName ? 0 : 1));
    const bool connected = connect(handle, reinterpret_cast<const sockaddr*>(&address), length) == 0;
    close(handle);
    return connected;
}

} // namespace

std::optional<std::string> missingDisplay() {
    if (!fromEnvironment("QT_QPA_PLATFORM").empty() || !fromEnvironment("WAYLAND_DISPLAY").empty())
        return std::nullopt;
    const std::string display = fromEnvironment("DISPLAY");
    if (display.empty())
        return "There is no display: neither DISPLAY nor WAYLAND_DISPLAY is set.";
    if (display.front() != ':')
        return std::nullopt;
    const std::string number =
        display.substr(1, display.find('.') == std::string::npos ? std::string::npos : display.find('.') - 1);
    const std::string socketPath = "/tmp/.X11-unix/X" + number;
    if (answers(socketPath, false) || answers(socketPath, true))
        return std::nullopt;
    return "Nobody answers at the display " + display + ".";
}

} // namespace limber::app
