#include "ui/panels/weights_panel.h"

#include "core/document/intents.h"
#include "ui/actions/editor_actions.h"
#include "ui/panels/bar_delegate.h"
#include "ui/theme.h"
#include "ui/tools/joint_text.h"

#include <QComboBox>
#include <QHeaderView>
#include <QSignalBlocker>
#include <QTimer>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <set>

namespace limber::ui {

namespace {

constexpr int kLockColumn = 0, kNameColumn = 1, kShareColumn = 2;
constexpr int kJointRole = Qt::UserRole;
constexpr int kRefreshMs = 300;

JointId jointOf(const QTreeWidgetItem* item) {
    return JointId(std::size_t(item->data(kNameColumn, kJointRole).toUInt()));
}

} // namespace

namespace {

void addRow(std::span<const skin::Influence> row, double sign, std::vector<double>& sums) {
    for (const skin::Influence& influence : row)
        if (influence.slot < sums.size())
            sums[influence.slot] += sign * double(influence.weight);
}

} // namespace

const std::vector<double>& WeightSums::ofDocument(const document::Document& doc, MeshId mesh, std::size_t slotCount) {
    Sums& known = sums_[mesh];
    if (known.revision == doc.revision() && known.bySlot.size() == slotCount)
        return known.bySlot;
    known.revision = doc.revision();
    known.bySlot.assign(slotCount, 0.0);
    const skin::SkinWeights& weights = doc.mesh(mesh).weights;
    for (std::size_t v = 0; v < weights.vertexCount(); ++v)
        addRow(weights.row(v), 1, known.bySlot);
    return known.bySlot;
}

std::vector<double> WeightSums::shown(const Editor& editor, MeshId mesh, std::size_t slotCount) {
    const document::Document& doc = editor.document();
    std::vector<double> sums = ofDocument(doc, mesh, slotCount);
    if (const document::Preview::PreviewRows* painted = editor.preview().rows(mesh))
        for (std::size_t k = 0; k < painted->vertices.size(); ++k) {
            addRow(doc.mesh(mesh).weights.row(painted->vertices[k]), -1, sums);
            addRow(painted->rows.row(k), 1, sums);
        }
    return sums;
}

std::vector<double> jointShares(const Editor& editor, MeshId only, WeightSums& known) {
    const document::Document& doc = editor.document();
    std::vector<double> shares(doc.skeleton().size(), 0.0);
    double vertices = 0;
    std::set<MeshId> seen;
    for (const document::Instance& instance : doc.state().instances) {
        if (!instance.skin.valid() || (only.valid() && instance.mesh != only) || !seen.insert(instance.mesh).second)
            continue;
        const std::vector<JointId>& joints = doc.skin(instance.skin).joints;
        const std::vector<double> sums = known.shown(editor, instance.mesh, joints.size());
        for (std::size_t slot = 0; slot < joints.size(); ++slot)
            shares[joints[slot].index()] += std::max(0.0, sums[slot]);
        vertices += double(doc.mesh(instance.mesh).weights.vertexCount());
    }
    for (double& share : shares)
        share /= std::max(1.0, vertices);
    return shares;
}

WeightsPanel::WeightsPanel(Editor& editor, QWidget* parent)
    : QWidget(parent), editor_(editor), mesh_(new QComboBox(this)), list_(new QTreeWidget(this)),
      soon_(new QTimer(this)) {
    mesh_->setAccessibleName(tr("Mesh whose weights are listed"));
    mesh_->setToolTip(tr("Mesh whose weights are listed"));
    mesh_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    list_->setAccessibleName(tr("Joints by their share of the weights"));
    list_->setColumnCount(3);
    list_->setHeaderHidden(true);
    list_->setRootIsDecorated(false);
    list_->setUniformRowHeights(true);
    list_->setSelectionMode(QAbstractItemView::ExtendedSelection);
    list_->setIconSize({14, 14});
    list_->setItemDelegateForColumn(kShareColumn, new BarDelegate(list_));
    list_->header()->setStretchLastSection(true);
    list_->header()->setMinimumSectionSize(22);
    list_->header()->setSectionResizeMode(kLockColumn, QHeaderView::Fixed);
    list_->header()->resizeSection(kLockColumn, 26);
    list_->header()->setSectionResizeMode(kNameColumn, QHeaderView::Interactive);
    list_->header()->resizeSection(kNameColumn, 120);
    soon_->setSingleShot(true);
    soon_->setInterval(kRefreshMs);

    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(8, 4, 4, 4);
    column->setSpacing(4);
    column->addWidget(mesh_);
    column->addWidget(list_);
    connectSignals();
    rebuildMeshes();
}

void WeightsPanel::connectSignals() {
    connect(mesh_, &QComboBox::currentIndexChanged, this, &WeightsPanel::rebuildRows);
    connect(soon_, &QTimer::timeout, this, [this] {
        if (shown_)
            rebuildRows();
        else
            stale_ = true;
    });
    connect(list_, &QTreeWidget::itemSelectionChanged, this, [this] {
        if (showing_ || !list_->currentItem())
            return;
        document::Selection selection;
        std::vector<JointId> joints;
        for (QTreeWidgetItem* item : list_->selectedItems())
            if (item != list_->currentItem())
                joints.push_back(jointOf(item));
        if (list_->currentItem()->isSelected())
            joints.push_back(jointOf(list_->currentItem()));
        selection.set(std::move(joints));
        editor_.setSelection(std::move(selection));
    });
    connect(list_, &QTreeWidget::itemClicked, this, [this](QTreeWidgetItem* item, int col) {
        if (col != kLockColumn)
            return;
        const JointId j = jointOf(item);
        editor_.perform(
            document::setLocked(editor_.document(), std::array{j}, !editor_.document().state().locked[j.index()]));
    });
    connect(&editor_, &Editor::documentReplaced, this, &WeightsPanel::rebuildMeshes);
    connect(&editor_, &Editor::selectionChanged, this, &WeightsPanel::showActive);
    connect(&editor_, &Editor::changed, this, [this](const document::ChangeSet& changes) {
        if (changes.locks)
            showLocks();
        const bool weights = std::any_of(changes.meshes.begin(), changes.meshes.end(),
                                         [](const auto& mesh) { return !mesh.weightVertices.empty(); });
        if ((weights || changes.everything || changes.names || !changes.skins.empty()) && !soon_->isActive())
            soon_->start();
    });
}

void WeightsPanel::setShown(bool shown) {
    shown_ = shown;
    if (shown_ && stale_)
        rebuildRows();
}

void WeightsPanel::rebuildMeshes() {
    sums_ = {}; // of the document before
    showing_ = true;
    list_->clear(); // its rows name joints of the document before
    showing_ = false;
    soon_->stop();
    const QSignalBlocker quiet(mesh_);
    mesh_->clear();
    mesh_->addItem(tr("All skinned meshes"), MeshId().value);
    std::set<MeshId> seen;
    for (const document::Instance& instance : editor_.document().state().instances)
        if (instance.skin.valid() && seen.insert(instance.mesh).second)
            mesh_->addItem(QString::fromStdString(instance.name), instance.mesh.value);
    mesh_->setEnabled(mesh_->count() > 1);
    rebuildRows();
}

void WeightsPanel::rebuildRows() {
    stale_ = false;
    showing_ = true;
    MeshId mesh;
    mesh.value = mesh_->currentData().toUInt();
    const std::vector<double> shares = jointShares(editor_, mesh, sums_);
    const double most = shares.empty() ? 0 : *std::max_element(shares.begin(), shares.end());
    const document::Document& doc = editor_.document();
    std::vector<JointId> joints;
    for (JointId j : shownJoints(doc))
        if (doc.skeleton()[j].deforms)
            joints.push_back(j);
    // Rows stay where they are while only their values change, so that nothing moves under a stroke.
    std::vector<JointId> listed;
    for (int i = 0; i < list_->topLevelItemCount(); ++i)
        listed.push_back(jointOf(list_->topLevelItem(i)));
    const bool same = std::is_permutation(joints.begin(), joints.end(), listed.begin(), listed.end()) &&
                      list_->property("mesh").toUInt() == mesh.value;
    if (!same) {
        std::stable_sort(joints.begin(), joints.end(),
                         [&](JointId a, JointId b) { return shares[a.index()] > shares[b.index()]; });
        list_->clear();
        for (JointId j : joints) {
            auto* item = new QTreeWidgetItem(list_);
            item->setText(kNameColumn, jointLabel(doc, j));
            item->setToolTip(kNameColumn, jointLabel(doc, j));
            item->setData(kNameColumn, kJointRole, uint(j.index()));
        }
        list_->setProperty("mesh", mesh.value);
    }
    for (int i = 0; i < list_->topLevelItemCount(); ++i) {
        QTreeWidgetItem* item = list_->topLevelItem(i);
        const double share = shares[jointOf(item).index()];
        item->setText(kShareColumn, QString("%1 %").arg(100 * share, 0, 'f', 1));
        item->setToolTip(kShareColumn, tr("Share of all the weight on the listed meshes"));
        item->setData(kShareColumn, BarDelegate::kShareRole, most > 0 ? share / most : 0.0);
    }
    showing_ = false;
    showLocks();
    showActive();
}

void WeightsPanel::showActive() {
    if (showing_)
        return;
    showing_ = true;
    list_->clearSelection();
    const JointId active = editor_.activeJoint();
    for (int i = 0; i < list_->topLevelItemCount(); ++i) {
        QTreeWidgetItem* item = list_->topLevelItem(i);
        const JointId j = jointOf(item);
        item->setSelected(editor_.selection().contains(j));
        item->setData(kShareColumn, BarDelegate::kActiveRole, j == active);
        if (j == active) {
            list_->setCurrentItem(item, kNameColumn, QItemSelectionModel::NoUpdate);
            list_->scrollToItem(item);
        }
    }
    showing_ = false;
}

void WeightsPanel::showLocks() {
    const QSignalBlocker quiet(list_);
    const QIcon closed = themedIcon("lock"), open = themedIcon("unlock");
    for (int i = 0; i < list_->topLevelItemCount(); ++i) {
        QTreeWidgetItem* item = list_->topLevelItem(i);
        const bool locked = editor_.document().state().locked[jointOf(item).index()];
        item->setIcon(kLockColumn, locked ? closed : open);
        item->setToolTip(kLockColumn, locked ? tr("Locked; click to unlock") : tr("Click to lock"));
        item->setData(kLockColumn, Qt::AccessibleTextRole, locked ? tr("locked") : tr("not locked"));
    }
}

} // namespace limber::ui
