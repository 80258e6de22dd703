// The import doctor: every rule is a pure function from a document to findings, every fix one from a document to an
// edit. All of it may run on a worker thread on a snapshot of the document.
#pragma once

#include "core/base/result.h"
#include "core/check/finding.h"
#include "core/document/edit.h"

#include <span>
#include <string_view>

namespace limber::check {

// What a fix could not do, as sentences: locked joints keep their weights.
using Notes = std::vector<std::string>;

struct Rule {
    std::string_view code; // of all its findings
    std::vector<Finding> (*find)(const document::Document& doc, const Options& options);
    // The edit that leaves the rule nothing to find where the finding points; empty where nothing can be done. It
    // looks at the document anew, so that a finding may be older. Null: there is no fix.
    document::Edit (*fix)(const document::Document& doc, const Finding& finding, Notes& notes);
};

// All rules, in the order in which their fixes are to be made.
[[nodiscard]] std::span<const Rule> rules();

// What all rules find, worst first, else in the order of the rules. O(n log n) of the document.
[[nodiscard]] std::vector<Finding> examine(const document::Document& doc, const Options& options = {});

// One undoable edit. Failed with the reason where there is no fix, or locked joints leave nothing to do. `notes` says
// what had to be left.
[[nodiscard]] Result<document::Edit> fix(const document::Document& doc, const Finding& finding, Notes* notes = nullptr);
// The same for many as one edit: each fix is made on what the ones before it left. Findings without a fix are passed
// over.
[[nodiscard]] Result<document::Edit> fixAll(const document::Document& doc, std::span<const Finding> findings,
                                            Notes* notes = nullptr);

} // namespace limber::check
