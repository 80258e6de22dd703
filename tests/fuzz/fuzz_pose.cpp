#include "core/io/pose_file.h"
#include "tests/fuzz/sample_files.h"
#include "tests/fuzz/targets.h"

namespace limber::fuzz {

void pose(Bytes input) {
    document::DocumentState state = strip().state;
    const auto read = io::readPose(textOf(input), state);
    if (!read) {
        require(!read.error().text.empty(), "Refused without a reason.");
        return;
    }
    require(read->size() == state.skeleton.size(), "A pose of another skeleton.");
    for (const rig::Affine& local : *read)
        require(math::allFinite(local), "A transform that is not finite.");
    state.pose = *read;
    require(io::readPose(io::writePose(state), state).ok(), "A pose that was read cannot be written and read.");
}

} // namespace limber::fuzz
