import { Button, UnstyledButton } from '@mantine/core';
import { type ReactNode, useRef, useState } from 'react';
import { Icon } from '../components/icon.tsx';
import { texts } from '../texts/filters.ts';
import classes from './filter-bar.module.css';
import type { FilterField } from './filter-field.ts';
import { FilterPopover, Focused } from './filter-popover.tsx';
import { OptionList } from './option-list.tsx';

interface FilterBarProps {
  readonly search: ReactNode;
  readonly fields?: readonly FilterField[];
  /** Below the list of filters. */
  readonly hint?: string | undefined;
  readonly isFiltered: boolean;
  readonly onRemove?: (names: readonly string[]) => void;
  readonly clearLabel?: string;
  readonly onClear: () => void;
  /** Stands after the filters. */
  readonly children?: ReactNode;
  readonly sort?: ReactNode;
}

/** The search of a list, a chip for each filter that is set, and a menu of the others. */
export function FilterBar({
  search,
  fields = [],
  hint,
  isFiltered,
  onRemove,
  clearLabel = texts.clearFilters,
  onClear,
  children,
  sort,
}: FilterBarProps) {
  const [isAdding, setIsAdding] = useState(false);
  const [added, setAdded] = useState<string | null>(null);
  const addButton = useRef<HTMLButtonElement>(null);
  const field = fields.find(({ label }) => label === added);
  const stopAdding = () => {
    setIsAdding(false);
    setAdded(null);
  };
  const clear = () => {
    onClear();
    // The button goes with the filters.
    addButton.current?.focus();
  };
  return (
    <search className={classes.bar}>
      <div className={classes.search}>{search}</div>
      {fields
        // The one that is being added becomes a chip when it is done. Its popover would move away otherwise.
        .filter(({ summary, label }) => summary !== undefined && label !== added)
        .map((each) => (
          <FilterChip
            key={each.label}
            field={each}
            onRemove={() => {
              onRemove?.(each.names);
              addButton.current?.focus();
            }}
          />
        ))}
      {fields.length > 0 && (
        <FilterPopover
          isOpen={isAdding}
          onClose={stopAdding}
          target={
            <Button
              ref={addButton}
              variant="default"
              className={classes.add}
              leftSection={<Icon name="plus" size={14} />}
              onClick={() => (isAdding ? stopAdding() : setIsAdding(true))}
            >
              {texts.filter}
            </Button>
          }
        >
          {field && (
            <UnstyledButton className={classes.back} onClick={() => setAdded(null)}>
              <Icon name="back" size={14} />
              {texts.allFilters}
            </UnstyledButton>
          )}
          <Focused key={added}>
            {field ? (
              field.render(stopAdding)
            ) : (
              <>
                <OptionList
                  options={fields
                    .filter(({ summary }) => summary === undefined)
                    .map(({ label, obstacle }) => ({
                      value: label,
                      label,
                      hint: obstacle,
                      isDisabled: obstacle !== undefined,
                    }))}
                  chosen={[]}
                  onChoose={setAdded}
                />
                {hint && <p className={classes.hint}>{hint}</p>}
              </>
            )}
          </Focused>
        </FilterPopover>
      )}
      {isFiltered && (
        <Button variant="subtle" className={classes.clear} onClick={clear}>
          {clearLabel}
        </Button>
      )}
      {children}
      {sort && <div className={classes.sort}>{sort}</div>}
    </search>
  );
}

interface FilterChipProps {
  readonly field: FilterField;
  readonly onRemove: () => void;
}

/** A filter that is set. Its name opens it, and its cross removes it. */
function FilterChip({ field: { label, summary, render }, onRemove }: FilterChipProps) {
  const [isOpen, setIsOpen] = useState(false);
  const close = () => setIsOpen(false);
  return (
    <span className={classes.chip}>
      <FilterPopover
        isOpen={isOpen}
        onClose={close}
        target={
          <UnstyledButton className={classes.value} onClick={() => setIsOpen(!isOpen)}>
            {label}: <bdi>{summary}</bdi>
          </UnstyledButton>
        }
      >
        {render(close)}
      </FilterPopover>
      <UnstyledButton
        className={classes.remove}
        aria-label={texts.removeFilterLabel(label)}
        onClick={onRemove}
      >
        <Icon name="close" size={12} />
      </UnstyledButton>
    </span>
  );
}
