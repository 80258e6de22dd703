#include "core/io/mannequin/body_shapes.h"

namespace limber::io::mannequin {

void addHead(BodyField& field) {
    const Vector3d up = Vector3d::UnitY(), front = Vector3d::UnitZ();
    const auto middle = [&](const Ellipsoid& e, double blend, bool carve = false) {
        field.add({kHead, e, blend, carve, false});
    };
    const auto pair = [&](const Ellipsoid& e, double blend, bool carve = false) {
        field.add({kHead, e, blend, carve});
    };

    middle(mass({0, 1.652, -0.014}, up, front, {0.077, 0.097, 0.093}), 0.010);                            // cranium
    pair(mass({0.024, 1.664, -0.022}, up, front, {0.052, 0.074, 0.082}), 0.020);                          // parietal
    middle(mass({0, 1.606, 0.028}, {0, 1, -0.12}, front, {0.061, 0.086, 0.064}), 0.030);                  // face
    middle(mass({0, 1.560, 0.036}, {0, 0.3, 1}, up, {0.050, 0.050, 0.034}), 0.030);                       // jaw
    middle(mass({0, 1.536, 0.080}, {0, 1, 0.1}, front, {0.021, 0.018, 0.020}), 0.028);                    // chin
    pair(mass({0.041, 1.598, 0.058}, {0.3, 1, -0.2}, front, {0.020, 0.024, 0.022}), 0.030);               // cheek bone
    field.add({kHead, Cone{{0.014, 1.653, 0.082}, {0.052, 1.650, 0.059}, 0.008, 0.007}, 0.028});          // brow
    pair(mass({0.033, 1.630, 0.100}, {1, 0.05, -0.35}, up, {0.012, 0.020, 0.016}), 0.022, true);          // eye socket
    pair(mass({0.0325, 1.630, 0.071}, up, front, {0.0155, 0.0125, 0.0140}), 0.007);                       // closed lids
    field.add({kHead, Cone{{0, 1.646, 0.085}, {0, 1.607, 0.1010}, 0.0080, 0.0120}, 0.018, false, false}); // nose
    pair(mass({0.0105, 1.599, 0.098}, {0, 0.5, 1}, up, {0.008, 0.011, 0.008}), 0.008);                    // nostril
    middle(mass({0, 1.5695, 0.088}, {1, 0, 0}, front, {0.009, 0.021, 0.012}), 0.016);                     // upper lip
    middle(mass({0, 1.5575, 0.085}, {1, 0, 0}, front, {0.009, 0.019, 0.012}), 0.016);                     // lower lip
    pair(mass({0.008, 1.5635, 0.108}, {1, 0.10, -0.34}, up, {0.0080, 0.023, 0.0036}), 0.008, true);       // mouth line
    pair(mass({0.0755, 1.622, -0.010}, {0.12, 1, -0.22}, {0.25, 0, 1}, {0.0105, 0.031, 0.019}), 0.012);   // ear
}

} // namespace limber::io::mannequin
