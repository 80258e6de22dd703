// JOINTS_n and WEIGHTS_n of a mesh's primitives as sparse rows.
#pragma once

#include "core/io/gltf_primitive.h"
#include "core/io/gltf_reader.h"

namespace limber::io {

// How the joints of a mesh may be numbered: by the shortest joint list of the skins it is used with.
struct JointLimit {
    bool skinned = false;  // some node gives the mesh a skin
    std::size_t slots = 0; // of the shortest
};
[[nodiscard]] JointLimit jointLimit(const ReadContext& context, std::size_t mesh);

class InfluenceCollector {
public:
    explicit InfluenceCollector(JointLimit limit) : limit_(limit) {}

    // Appends the rows of one primitive: all sets merged, a joint named twice summed, zeros dropped, sums other than
    // one normalised and listed. Throws a Refusal for a weighted joint that the skin does not have.
    void add(PrimitiveSource& primitive, const std::string& where, std::vector<Repair>& repairs);
    // Empty where no primitive had influences or no node gives the mesh a skin.
    [[nodiscard]] skin::SkinWeights finish() const;
    // Vertices whose row the file has otherwise than it is kept here, ascending.
    [[nodiscard]] std::vector<std::uint32_t> takeRepaired() { return std::move(repaired_); }

private:
    struct Counts {
        std::size_t invalid = 0, negative = 0, unweighted = 0, unnormalised = 0, unknownJoint = 0;
    };
    void finishRow(skin::Row& row, Counts& counts, bool mended);
    void report(const Counts& counts, const std::string& where, std::vector<Repair>& repairs) const;

    JointLimit limit_;
    bool any_ = false;
    std::vector<std::uint32_t> counts_;    // [V]
    std::vector<skin::Influence> entries_; // rows one after the other
    std::size_t longest_ = 0;
    std::vector<std::uint32_t> repaired_;
};

} // namespace limber::io
