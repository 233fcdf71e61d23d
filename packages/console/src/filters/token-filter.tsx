import { TextInput } from '@mantine/core';

interface TokenFilterProps {
  readonly value: string | undefined;
  readonly onChange: (value: string) => void;
}

/** The token id of one digital key, or all of them. */
export function TokenFilter({ value, onChange }: TokenFilterProps) {
  return (
    <TextInput
      label="Digital key"
      placeholder="All"
      inputMode="numeric"
      value={value ?? ''}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}
