#include "ui/panels/report_panel.h"

#include "ui/theme.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QListWidget>
#include <QStyledItemDelegate>
#include <QToolButton>
#include <QVBoxLayout>

namespace limber::ui {

namespace {

constexpr int kFindingRole = Qt::UserRole; // its index in Doctor::findings(); notes have none
constexpr int kCodeRole = Qt::UserRole + 1;

// The list is to be read at a glance: the rest of a long text is in the tooltip.
QString firstSentence(const QString& text) {
    const qsizetype end = text.indexOf(". ");
    return end < 0 ? text : text.left(end + 1);
}

QString kindOf(check::Severity severity) {
    switch (severity) {
    case check::Severity::Error:
        return ReportPanel::tr("Error");
    case check::Severity::Warning:
        return ReportPanel::tr("Warning");
    case check::Severity::Info:
        break;
    }
    return ReportPanel::tr("Information");
}

// The mesh or the joints that a finding is about, by the names that the other panels show.
QString subject(const document::Document& doc, const check::Finding& finding) {
    if (finding.mesh.valid()) {
        for (const document::Instance& instance : doc.state().instances)
            if (instance.mesh == finding.mesh)
                return QString::fromStdString(instance.name);
        return finding.mesh.index() < doc.state().meshes.size()
                   ? QString::fromStdString(doc.mesh(finding.mesh).geometry.name)
                   : QString();
    }
    if (finding.joints.size() == 1 && finding.joints[0].index() < doc.skeleton().size())
        return QString::fromStdString(doc.skeleton()[finding.joints[0]].name);
    return {};
}

// Rows as high as their text: the default gives up after two lines.
class RowDelegate : public QStyledItemDelegate {
public:
    explicit RowDelegate(QListView* list) : QStyledItemDelegate(list), list_(list) {}

    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        constexpr int kIcon = 16, kSpace = 20, kAbove = 4; // the space is beside the icon and at both ends
        const int width = list_->viewport()->width() - kIcon - kSpace;
        const QRect text = option.fontMetrics.boundingRect({0, 0, width, 10000}, Qt::TextWordWrap,
                                                           index.data(Qt::DisplayRole).toString());
        return {list_->viewport()->width(), std::max(text.height(), kIcon) + 2 * kAbove};
    }

private:
    QListView* list_;
};

} // namespace

ReportPanel::ReportPanel(Editor& editor, Doctor& doctor, Actions& actions, QWidget* parent)
    : QWidget(parent), editor_(editor), doctor_(doctor), list_(new QListWidget(this)),
      nothing_(new QLabel(tr("Nothing to report: the file was read as it is."), this)), buttons_(new QWidget(this)) {
    list_->setObjectName("notes");
    list_->setAccessibleName(tr("Import report"));
    list_->setWordWrap(true);
    list_->setTextElideMode(Qt::ElideNone);
    list_->setItemDelegate(new RowDelegate(list_));
    list_->setIconSize({16, 16});
    list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    list_->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    list_->setResizeMode(QListView::Adjust);
    nothing_->setWordWrap(true);
    nothing_->setProperty("role", "secondary");
    nothing_->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    nothing_->setContentsMargins(4, 0, 4, 4);

    auto* row = new QHBoxLayout(buttons_);
    row->setContentsMargins(4, 4, 4, 0);
    row->setSpacing(8);
    for (const auto& [id, text] : {std::pair("check.fix", tr("Fix")), std::pair("check.fixAll", tr("Fix All"))}) {
        QAction* action = actions.action(id);
        auto* button = new QToolButton(buttons_);
        button->setText(text);
        button->setAccessibleName(action->text());
        button->setFocusPolicy(Qt::TabFocus);
        connect(button, &QToolButton::clicked, action, &QAction::trigger);
        const auto follow = [button, action] {
            button->setEnabled(action->isEnabled());
            button->setToolTip(action->text());
        };
        connect(action, &QAction::changed, button, follow);
        follow();
        row->addWidget(button);
    }
    row->addStretch();

    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(4, 0, 4, 4);
    column->setSpacing(0);
    column->addWidget(list_, 1);
    column->addWidget(nothing_, 1);
    column->addWidget(buttons_);
    setFocusProxy(list_);

    connect(&editor_, &Editor::notesChanged, this, &ReportPanel::rebuild);
    connect(&editor_, &Editor::documentReplaced, this, &ReportPanel::rebuild);
    connect(&doctor_, &Doctor::changed, this, &ReportPanel::refresh);
    connect(list_, &QListWidget::currentRowChanged, this, &ReportPanel::choose);
    rebuild();
}

// The doctor may be gone already when the list loses its rows.
ReportPanel::~ReportPanel() {
    disconnect(list_, nullptr, this, nullptr);
}

void ReportPanel::refresh() {
    const auto same = [](const check::Finding& a, const check::Finding& b) {
        return a.code == b.code && a.where == b.where && a.text == b.text;
    };
    const std::vector<check::Finding>& now = doctor_.findings();
    if (!std::equal(now.begin(), now.end(), shown_.begin(), shown_.end(), same))
        rebuild();
    else if (!doctor_.current())
        list_->setCurrentRow(-1);
}

void ReportPanel::addNote(const char* icon, const QString& kind, const QString& note) {
    auto* item = new QListWidgetItem(themedIcon(icon), firstSentence(note), list_);
    item->setToolTip(note);
    item->setData(Qt::AccessibleTextRole, QString("%1: %2").arg(kind, note));
    item->setFlags(Qt::ItemIsEnabled);
}

void ReportPanel::addFinding(std::size_t index) {
    const check::Finding& finding = shown_[index];
    const QString text = QString::fromStdString(finding.text), where = QString::fromStdString(finding.where);
    const char* icon = finding.severity == check::Severity::Info ? "info" : "warning";
    const QString who = subject(editor_.document(), finding), what = firstSentence(text);
    auto* item = new QListWidgetItem(themedIcon(icon), who.isEmpty() ? what : QString("%1: %2").arg(who, what), list_);
    item->setToolTip(where.isEmpty() ? text : QString("%1\n%2").arg(where, text));
    item->setData(Qt::AccessibleTextRole, QString("%1: %2 %3").arg(kindOf(finding.severity), where, text));
    item->setData(kFindingRole, qulonglong(index));
    item->setData(kCodeRole, QString::fromStdString(finding.code));
}

void ReportPanel::rebuild() {
    filling_ = true;
    list_->clear();
    shown_ = doctor_.findings();
    const auto addFindings = [this](bool information) {
        for (std::size_t i = 0; i < shown_.size(); ++i)
            if ((shown_[i].severity == check::Severity::Info) == information)
                addFinding(i);
    };
    addFindings(false);
    for (const QString& note : editor_.notes())
        addNote("warning", tr("Warning"), note);
    for (const QString& note : editor_.information())
        addNote("info", tr("Information"), note);
    addFindings(true);
    list_->setCurrentRow(-1);
    filling_ = false;
    const bool any = list_->count() > 0;
    list_->setVisible(any);
    nothing_->setVisible(!any && editor_.document().instanceCount() > 0); // else nothing is open yet
    buttons_->setVisible(!shown_.empty());
    emit countChanged(any ? QString::number(list_->count()) : QString());
}

void ReportPanel::choose(int row) {
    if (filling_)
        return;
    const QListWidgetItem* item = list_->item(row);
    const QVariant finding = item ? item->data(kFindingRole) : QVariant();
    doctor_.setCurrent(finding.isValid() ? std::optional<std::size_t>(finding.toULongLong()) : std::nullopt);
    doctor_.showCurrent();
}

} // namespace limber::ui
