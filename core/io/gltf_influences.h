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
    // `parts`: how often add() will be called.
    InfluenceCollector(JointLimit limit, std::size_t parts) : limit_(limit), direct_(parts == 1) {}

    // Appends the rows of one primitive: all sets merged, a joint named twice summed, zeros dropped, sums other than
    // one normalised and listed. Throws a Refusal for a weighted joint that the skin does not have.
    void add(PrimitiveSource& primitive, const std::string& where, std::vector<Repair>& repairs);
    // Empty where no primitive had influences or no node gives the mesh a skin. Call it once, at the end.
    [[nodiscard]] skin::SkinWeights finish();
    // Vertices whose row the file has otherwise than it is kept here, ascending.
    [[nodiscard]] std::vector<std::uint32_t> takeRepaired() { return std::move(repaired_); }

private:
    struct Problems {
        std::size_t invalid = 0, negative = 0, unweighted = 0, unnormalised = 0, unknownJoint = 0, duplicate = 0;
        void add(const Problems& more);
    };
    // Rows of consecutive vertices.
    struct Rows {
        std::size_t firstVertex = 0, vertices = 0;
        std::vector<std::uint32_t> counts;    // per vertex, unless they went into `direct`
        std::vector<skin::Influence> entries; // one after the other, unless they went into `direct`
        skin::SkinWeights* direct = nullptr;
        std::vector<std::uint32_t> repaired;
        std::size_t longest = 0;
        Problems problems;
        std::optional<std::pair<std::size_t, std::uint32_t>> unknown; // the first vertex of a joint that is not there

        // Counts what is wrong with an influence that no row can hold.
        void leaveOut(skin::Influence influence, std::size_t slots, std::size_t vertex);
        void append(skin::Row& row, bool mended);
        // Appends a row of four that is right as it is, or returns false.
        bool appendPlain(const std::uint32_t* joints, const float* weights, std::size_t slots);
        void put(std::span<const skin::Influence> row);
    };
    void collect(Rows& rows, std::span<const InfluenceSet> sets, std::size_t first, std::size_t end) const;
    void report(const Problems& counts, const std::string& where, std::vector<Repair>& repairs) const;

    JointLimit limit_;
    bool any_ = false;
    std::size_t vertices_ = 0;
    bool direct_; // rows go to their place at once: there is one part
    skin::SkinWeights weights_;
    std::vector<Rows> pieces_;
    std::vector<std::uint32_t> repaired_;
};

} // namespace limber::io
