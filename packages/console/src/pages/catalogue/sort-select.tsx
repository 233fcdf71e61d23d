import { Select } from '@mantine/core';
import { strainSorts } from './catalogue-filters.ts';

interface SortSelectProps {
  readonly value: string | undefined;
  /** Null for the order that a list has by itself. */
  readonly onChange: (value: string | null) => void;
}

/** The order of the catalogue. */
export function SortSelect({ value = 'name:asc', onChange }: SortSelectProps) {
  return (
    <Select
      label="Sorted"
      allowDeselect={false}
      value={value}
      onChange={(chosen) => onChange(chosen === 'name:asc' ? null : chosen)}
      data={Object.entries(strainSorts).map(([sort, label]) => ({ value: sort, label }))}
    />
  );
}
