#include "core/mesh/face_ladders.h"

#include "core/mesh/smooth_normals_kernel.h"

namespace limber::mesh {

namespace {

// One of the four ways to write a pair: the way of a rung leads from the edge (0 2) to the edge (1 3).
struct Way {
    bool mirrored = false, turned = false;
};

FacePair written(const FacePair& p, Way way) {
    const FacePair round = way.turned ? FacePair{p[3], p[2], p[1], p[0]} : p;
    return way.mirrored ? FacePair{round[0], round[2], round[1], round[3]} : round;
}

bool follows(const FacePair& next, const FacePair& rung) {
    return next[0] == rung[1] && next[2] == rung[3];
}

// The pairs from the first on as rungs, as many as follow each other.
void climb(std::span<const FacePair> pairs, Way way, std::vector<FacePair>& rungs) {
    rungs.assign({written(pairs[0], way)});
    for (const FacePair& p : pairs.subspan(1)) {
        FacePair next = written(p, way);
        if (!follows(next, rungs.back()))
            next = written(p, {way.mirrored, !way.turned});
        if (!follows(next, rungs.back()))
            return;
        rungs.push_back(next);
    }
}

// Ladders of one kind, of which two make an entry of the list.
class Sides {
public:
    void add(std::span<const FacePair> rungs) { rungs_.insert(rungs_.end(), rungs.begin(), rungs.end()); }
    [[nodiscard]] bool odd() const { return rungs_.size() / kRungs % 2 != 0; }
    void dropLast() { rungs_.resize(rungs_.size() - kRungs); }

    [[nodiscard]] std::vector<std::uint32_t> list() const {
        std::vector<std::uint32_t> list;
        list.reserve(rungs_.size() / kRungs / 2 * kLadderSlots);
        for (std::size_t k = 0; k + 2 * kRungs <= rungs_.size(); k += 2 * kRungs) {
            const FacePair *one = &rungs_[k], *other = one + kRungs;
            list.insert(list.end(), {(*one)[0], (*one)[2], (*other)[0], (*other)[2]});
            for (std::size_t r = 0; r < kRungs; ++r)
                list.insert(list.end(), {one[r][1], one[r][3], other[r][1], other[r][3]});
        }
        return list;
    }

private:
    std::vector<FacePair> rungs_;
};

} // namespace

FaceLadders laddersOf(std::span<const FacePair> pairs) {
    FaceLadders lists;
    Sides sides[2];
    std::size_t last[2] = {}; // pair of the last ladder of each kind
    std::vector<FacePair> rungs, best;
    const auto keepPairs = [&](std::size_t first, std::size_t end) {
        for (std::size_t k = first; k < end; ++k)
            lists.pairs.insert(lists.pairs.end(), pairs[k].begin(), pairs[k].end());
    };
    for (std::size_t k = 0; k < pairs.size();) {
        Way way;
        best.clear();
        for (const Way w : {Way{false, false}, Way{false, true}, Way{true, false}, Way{true, true}}) {
            climb(pairs.subspan(k), w, rungs);
            if (rungs.size() > best.size()) {
                best.swap(rungs);
                way = w;
            }
        }
        const std::size_t whole = best.size() / kRungs * kRungs;
        sides[way.mirrored].add(std::span(best).first(whole));
        if (whole > 0)
            last[way.mirrored] = k + whole - kRungs;
        keepPairs(k + whole, k + best.size());
        k += best.size();
    }
    for (std::size_t kind = 0; kind < 2; ++kind)
        if (sides[kind].odd()) {
            sides[kind].dropLast();
            keepPairs(last[kind], last[kind] + kRungs);
        }
    lists.ladders = sides[0].list();
    lists.mirrored = sides[1].list();
    return lists;
}

} // namespace limber::mesh
