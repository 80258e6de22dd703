#include "app/command_line/commands.h"

namespace limber::app {

std::vector<Command> plainCommands() {
    return {infoCommand(), newCommand(), convertCommand(), poseCommand(), deformCommand(), correctiveAddCommand()};
}

} // namespace limber::app
