#include "app/command_line/commands.h"

namespace limber::app {

std::vector<Command> plainCommands() {
    std::vector<Command> commands = {infoCommand(), checkCommand(),  newCommand(),           convertCommand(),
                                     poseCommand(), deformCommand(), correctiveAddCommand(), skinningCommand()};
    for (Command& command : weightsCommands())
        commands.push_back(std::move(command));
    return commands;
}

} // namespace limber::app
