#include "ui/actions/editor_actions.h"

namespace limber::ui {

void addCheckActions(Actions& actions, Doctor& doctor) {
    const auto add = [&](const char* id, const char* text, const char* tooltip, const char* key,
                         std::function<void()> run, std::function<bool()> enabled, std::function<QString()> label) {
        actions.add({.id = id,
                     .menu = "Edit",
                     .section = 1,
                     .text = text,
                     .tooltip = tooltip,
                     .shortcuts = {key},
                     .run = std::move(run),
                     .enabled = std::move(enabled),
                     .label = std::move(label)});
    };
    const auto idle = [&doctor] { return !doctor.working(); };
    add("check.run", "Check Document", "Look for what is wrong or odd in the whole document", "F7",
        [&doctor] { doctor.examineAloud(); }, idle, {});
    add(
        "check.fix", "Fix Finding", "Mend what the chosen line of the report is about, as one step", "Shift+F7",
        [&doctor] { doctor.fixCurrent(); },
        [&doctor, idle] { return idle() && doctor.current() && doctor.current()->fixable(); },
        [&doctor] {
            const check::Finding* finding = doctor.current();
            return finding && finding->fixable() ? QString::fromStdString(finding->fix) : QString("Fix Finding");
        });
    add(
        "check.fixAll", "Fix All Findings", "Mend every warning that can be mended without you, as one step",
        "Ctrl+Shift+F7", [&doctor] { doctor.fixAll(); },
        [&doctor, idle] { return idle() && doctor.fixableCount() > 0; }, {});
}

} // namespace limber::ui
