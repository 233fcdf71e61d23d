import { Select } from '@mantine/core';
import { texts } from '../texts/filters.ts';

interface SortSelectProps {
  /** Names by value. The first is the order that the list has by itself. */
  readonly sorts: Readonly<Record<string, string>>;
  readonly value: string | undefined;
  /** Null for the order that the list has by itself. */
  readonly onChange: (value: string | null) => void;
}

/** The order of a list. */
export function SortSelect({ sorts, value, onChange }: SortSelectProps) {
  const [first = null] = Object.keys(sorts);
  return (
    <Select
      aria-label={texts.sorted}
      allowDeselect={false}
      comboboxProps={{ withOverlay: true, transitionProps: { exitDuration: 1 } }}
      value={value ?? first}
      onChange={(chosen) => onChange(chosen === first ? null : chosen)}
      data={Object.entries(sorts).map(([sort, label]) => ({ value: sort, label }))}
    />
  );
}
