// Faults that a check finds and that reading does not stumble over: listed as repairs, a few of each kind by name and
// the rest by number, so that a file of a million faults does not make a report of a million lines.
#pragma once

#include "core/io/gltf_file.h"

#include <map>

namespace limber::io {

class FaultList {
public:
    // Appends to `repairs`, which must outlive it and only grow meanwhile.
    explicit FaultList(std::vector<Repair>& repairs) : repairs_(repairs) {}
    FaultList(const FaultList&) = delete;
    FaultList& operator=(const FaultList&) = delete;
    ~FaultList(); // completes the texts

    // `count`: as of Repair.
    void add(const std::string& code, std::string where, std::string text, std::size_t count = 1);

private:
    struct Kind {
        std::size_t listed = 0, more = 0, last = 0; // `last`: of the listed, its place in repairs_
    };

    std::vector<Repair>& repairs_;
    std::map<std::string, Kind> kinds_;
};

} // namespace limber::io
