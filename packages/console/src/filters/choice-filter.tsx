import { Select } from '@mantine/core';

interface ChoiceFilterProps {
  readonly label: string;
  /** Names by value. */
  readonly choices: Readonly<Record<string, string>>;
  readonly value: string | undefined;
  readonly onChange: (value: string | null) => void;
}

/** One of a few values, or all of them. */
export function ChoiceFilter({ label, choices, value, onChange }: ChoiceFilterProps) {
  return (
    <Select
      label={label}
      placeholder="All"
      clearable
      clearButtonProps={{ 'aria-label': `Clear ${label.toLowerCase()}` }}
      value={value ?? null}
      onChange={onChange}
      data={Object.entries(choices).map(([key, name]) => ({ value: key, label: name }))}
    />
  );
}
