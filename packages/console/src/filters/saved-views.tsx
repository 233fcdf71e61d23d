import { Button, Menu, TextInput } from '@mantine/core';
import { useState } from 'react';
import { DialogForm } from '../components/dialog-form.tsx';
import { Icon } from '../components/icon.tsx';
import { Modal } from '../components/modal.tsx';
import { showUndo } from '../components/toasts.tsx';
import { texts } from '../texts/filters.ts';
import { isSameSearch, maxNameLength, type SavedView, useSavedViews } from './view-store.ts';

interface SavedViewsProps<Filters> {
  readonly list: string;
  readonly filters: Filters;
  readonly readFilters: (search: Record<string, unknown>) => Filters;
  readonly onChange: (filters: Filters) => void;
}

/** The views of a list that somebody has saved: to open, to add, to rename and to delete one. */
export function SavedViews<Filters extends object>({
  list,
  filters,
  readFilters,
  onChange,
}: SavedViewsProps<Filters>) {
  const [views, change] = useSavedViews(list);
  const [dialog, setDialog] = useState<'save' | 'rename' | null>(null);
  const current = views.find(({ search }) => isSameSearch(readFilters({ ...search }), filters));
  const isFiltered = Object.keys(filters).length > 0;
  const submit = (name: string) => {
    const view = { name, search: { ...filters } as SavedView['search'] };
    change((views) => [...without(without(views, name), current?.name), view]);
    setDialog(null);
  };
  if (views.length === 0 && !isFiltered) return null;
  return (
    <>
      <Menu position="bottom-start" width={240}>
        <Menu.Target>
          <Button variant="default" px={12} fw={500} leftSection={<Icon name="eye" size={16} />}>
            {current ? <bdi>{current.name}</bdi> : texts.views}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {views.length > 0 && <Menu.Label>{texts.savedViews}</Menu.Label>}
          {views.map((view) => (
            <Menu.Item
              key={view.name}
              rightSection={view === current ? <Icon name="check" size={16} /> : null}
              onClick={() => onChange(readFilters({ ...view.search }))}
            >
              <bdi>{view.name}</bdi>
            </Menu.Item>
          ))}
          {views.length > 0 && isFiltered && <Menu.Divider />}
          {isFiltered && !current && (
            <Menu.Item leftSection={<Icon name="plus" size={16} />} onClick={() => setDialog('save')}>
              {texts.saveTheseFilters}
            </Menu.Item>
          )}
          {current && (
            <>
              <Menu.Item leftSection={<Icon name="edit" size={16} />} onClick={() => setDialog('rename')}>
                {texts.renameThisView}
              </Menu.Item>
              {/* The filters stay as they are, and can be saved again. */}
              <Menu.Item
                leftSection={<Icon name="trash" size={16} />}
                onClick={() => {
                  change((views) => without(views, current.name));
                  showUndo(texts.viewIsDeleted(current.name), () =>
                    change((views) => [...without(views, current.name), current]),
                  );
                }}
              >
                {texts.deleteThisView}
              </Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      {dialog && (
        <ViewNameModal
          title={dialog === 'save' ? texts.saveFiltersAsView : texts.renameView}
          name={dialog === 'rename' ? (current?.name ?? '') : ''}
          views={views}
          onClose={() => setDialog(null)}
          onSubmit={submit}
        />
      )}
    </>
  );
}

function without(views: readonly SavedView[], name: string | undefined): readonly SavedView[] {
  return views.filter((view) => view.name !== name);
}

interface ViewNameModalProps {
  readonly title: string;
  /** That the view has so far. */
  readonly name: string;
  readonly views: readonly SavedView[];
  readonly onClose: () => void;
  readonly onSubmit: (name: string) => void;
}

function ViewNameModal({ title, name, views, onClose, onSubmit }: ViewNameModalProps) {
  const [text, setText] = useState(name);
  const chosen = text.trim();
  const isTaken = chosen !== name && views.some((view) => view.name === chosen);
  return (
    <Modal opened onClose={onClose} title={title}>
      <DialogForm
        submitLabel={texts.save}
        isDisabled={chosen === '' || isTaken}
        onCancel={onClose}
        onSubmit={() => onSubmit(chosen)}
      >
        <TextInput
          data-autofocus
          label={texts.name}
          description={texts.onlyYouSeeItInThis}
          maxLength={maxNameLength}
          error={isTaken && 'Another view has this name'}
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
      </DialogForm>
    </Modal>
  );
}
