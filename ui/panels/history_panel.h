// Every step since the file was opened; a click goes there.
#pragma once

#include "ui/editor/editor.h"

#include <QAbstractListModel>
#include <QWidget>

class QListView;

namespace limber::ui {

// Row 0 is the opened file, row n the n-th step.
class HistoryModel : public QAbstractListModel {
    Q_OBJECT
public:
    explicit HistoryModel(Editor& editor, QObject* parent = nullptr);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    void setOpenLabel(const QString& text);
    void reload();

private:
    Editor& editor_;
    QString openLabel_;
};

class HistoryPanel : public QWidget {
    Q_OBJECT
public:
    explicit HistoryPanel(Editor& editor, QWidget* parent = nullptr);
    void setOpenLabel(const QString& text) { model_->setOpenLabel(text); }
    [[nodiscard]] QListView* list() const { return list_; }

private:
    void show();

    Editor& editor_;
    HistoryModel* model_;
    QListView* list_;
    bool showing_ = false;
};

} // namespace limber::ui
