#include "core/io/obj_file.h"
#include "tests/fuzz/targets.h"

namespace limber::fuzz {

void obj(Bytes input) {
    const auto read = io::readObj(textOf(input));
    if (!read) {
        require(!read.error().text.empty(), "Refused without a reason.");
        return;
    }
    const auto again = io::readObj(io::writeObj(*read));
    require(again.ok() && again->size() == read->size(), "An OBJ that was read cannot be written and read.");
    for (std::size_t o = 0; o < read->size(); ++o) {
        require((*again)[o].positions.size() == (*read)[o].positions.size(), "Vertices went to another object.");
        for (const Eigen::Vector3d& p : (*read)[o].positions)
            require(p.allFinite(), "A vertex that is not finite.");
    }
}

} // namespace limber::fuzz
