#include "app/command_line/commands.h"
#include "core/check/doctor.h"
#include "core/check/poses.h"
#include "core/check/wording.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace limber::app {

namespace {

using Json = nlohmann::ordered_json;
using check::Finding;
using check::Severity;

constexpr int kMaxInfluences = 1024;
constexpr const char* kAll = "all";

std::string_view nameOf(Severity severity) {
    switch (severity) {
    case Severity::Error:
        return "error";
    case Severity::Warning:
        return "warning";
    case Severity::Info:
        break;
    }
    return "info";
}

Json poseFacts(const document::Document& doc) {
    const check::PoseDifference file = check::fileFromBind(doc), current = check::currentFromBind(doc),
                                moved = check::currentFromFile(doc);
    return {{"bind", {{"text", "where the skins were attached"}}},
            {"file",
             {{"text", "where the nodes stand in the file; from bind: " + check::described(doc, file)},
              {"jointsOffBind", file.joints.size()},
              {"largestTurn", file.degrees},
              {"largestMove", file.shift}}},
            {"current",
             {{"text", "what is shown and saved; from the file: " + check::described(doc, moved)},
              {"jointsOffBind", current.joints.size()},
              {"jointsOffFile", moved.joints.size()}}}};
}

Json jsonOf(const std::vector<Finding>& findings) {
    Json json = Json::array();
    for (const Finding& f : findings)
        json.push_back({{"code", f.code},
                        {"severity", nameOf(f.severity)},
                        {"where", f.where},
                        {"text", f.text},
                        {"count", f.count},
                        {"fix", f.fixable() ? Json(f.fix) : Json(nullptr)}});
    return json;
}

Json facts(const std::string& path, const io::LoadedFile& file, const document::Document& doc,
           const std::vector<Finding>& findings) {
    Json json = {{"file", path}, {"poses", poseFacts(doc)}, {"repairs", Json::array()}, {"findings", Json::array()}};
    for (const io::Repair& r : file.repairs)
        json["repairs"].push_back({{"code", r.code}, {"where", r.where}, {"text", r.text}, {"count", r.count}});
    json["findings"] = jsonOf(findings);
    return json;
}

void printGroup(std::ostream& out, const Json& items, const std::string& title, std::string_view severity) {
    bool any = false;
    for (const Json& item : items) {
        if (!severity.empty() && item["severity"] != severity)
            continue;
        if (!any)
            out << title << '\n';
        any = true;
        const auto where = item["where"].get<std::string>();
        const bool fixable = item.contains("fix") && !item["fix"].is_null();
        out << "  "
            << printable((where.empty() ? "" : where + ": ") + item["text"].get<std::string>() + " [" +
                         item["code"].get<std::string>() + (fixable ? ", can be fixed]" : "]"))
            << '\n';
    }
}

void print(const Json& json, std::ostream& out) {
    out << printable(json["file"].get<std::string>()) << ": ";
    if (json["repairs"].empty() && json["findings"].empty())
        out << "nothing wrong was found.\n";
    else
        out << check::counted(json["repairs"].size(), "repair") << ", "
            << check::counted(json["findings"].size(), "finding") << '\n';
    out << "Poses\n";
    for (const auto& [name, pose] : json["poses"].items())
        out << "  " << name << ": " << printable(pose["text"].get<std::string>()) << '\n';
    printGroup(out, json["repairs"], "Repaired on opening (the file itself is as it was)", "");
    printGroup(out, json["findings"], "Errors", "error");
    printGroup(out, json["findings"], "Warnings", "warning");
    printGroup(out, json["findings"], "Good to know", "info");
}

// The codes that --fix asks for, and what else has to be right about the request.
Result<std::vector<std::string>> askedCodes(const Arguments& arguments) {
    std::vector<std::string> codes = arguments.has("--fix") ? arguments.values("--fix") : std::vector<std::string>();
    if (codes.empty() == arguments.has("--output"))
        return usageError("--fix and --output go together: what to fix, and the file to write.");
    for (const std::string& code : codes)
        if (code != kAll && std::none_of(check::rules().begin(), check::rules().end(),
                                         [&](const check::Rule& r) { return r.code == code; }))
            return usageError("There is no such finding; give a code that check lists, or all.", "--fix " + code);
    if (!codes.empty())
        if (const Status s = checkSceneOutput(arguments.value("--output"), {arguments.positional(0)}); !s)
            return s.error();
    return codes;
}

// Whether two findings are about the same thing, before a fix and after it.
bool isSame(const Finding& a, const Finding& b) {
    return a.code == b.code && a.mesh == b.mesh && a.skin == b.skin && a.shape == b.shape;
}

Status fixAndSave(const io::LoadedFile& file, document::Document& doc, std::vector<Finding> findings,
                  const std::vector<std::string>& codes, const check::Options& options, const std::string& output,
                  const Console& console, Json& json) {
    json["output"] = output;
    json["fixed"] = Json::array();
    json["notes"] = Json::array(); // of fixes, what they leave to the user
    std::erase_if(findings, [&](const Finding& f) {
        return !f.fixable() || std::none_of(codes.begin(), codes.end(), [&](const std::string& code) {
            return code == kAll ? f.wantsFix() : code == f.code;
        });
    });
    if (findings.empty()) {
        console.say("there is nothing of this to fix; the file is saved as it is.");
    } else {
        check::Notes notes;
        const auto edit = check::fixAll(doc, findings, &notes);
        for (const std::string& note : notes) {
            console.say(note);
            json["notes"].push_back(note);
        }
        if (!edit)
            return edit.error();
        doc.apply(*edit);
    }
    const std::vector<Finding> left = check::examine(doc, options);
    for (const Finding& f : findings)
        if (std::none_of(left.begin(), left.end(), [&](const Finding& l) { return isSame(l, f); })) {
            console.say("fixed " + f.code + " in " + f.where + ".");
            json["fixed"].push_back({{"code", f.code}, {"where", f.where}});
        }
    json["left"] = jsonOf(left);
    return saveScene(file, doc, output, console);
}

Result<ExitCode> run(const Arguments& arguments, const Console& console) {
    const std::string& path = arguments.positional(0);
    const auto codes = askedCodes(arguments);
    if (!codes)
        return codes.error();
    check::Options options;
    if (arguments.has("--max-influences")) {
        const auto n = parseInteger("--max-influences", arguments.value("--max-influences"), 1, kMaxInfluences);
        if (!n)
            return n.error();
        options.maxInfluences = static_cast<std::size_t>(*n);
    }
    const auto file = openFile(path);
    if (!file)
        return file.error();
    document::Document doc(file->state);
    const std::vector<Finding> findings = check::examine(doc, options);
    Json json = facts(path, *file, doc, findings);
    if (!codes->empty())
        if (const Status s =
                fixAndSave(*file, doc, findings, *codes, options, arguments.value("--output"), console, json);
            !s)
            return s.error();
    if (arguments.has("--json"))
        console.out << json.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
    else
        print(json, console.out);
    return findings.empty() ? exitCodeFor(*file) : ExitCode::DoneWithRepairs;
}

} // namespace

Command checkCommand() {
    return {"check",
            "Examines a file and fixes what can be fixed.",
            "Lists what was repaired on opening, and what looks wrong: each with its place, what it means and what to\n"
            "do. Fixes are saved to another file; what they leave to you is told; --json then\n"
            "lists \"fixed\", and in \"left\" what the written file still has. Exit code 4: something was found.",
            {"FILE"},
            {{"--json", "", "", "one JSON object on standard output"},
             {"--max-influences", "", "N", "the target takes N influences a vertex"},
             {"--fix", "", "CODE", "fix the findings with this code, or all but what is only good to know", true},
             {"--output", "-o", "OUT.glb", "the file to write with --fix"}},
            run};
}

} // namespace limber::app
